import type { Page } from 'playwright-core'

/** More than any screen of the library has. */
const mostStops = 400

/** Search and menus are on the way, on every screen. */
const fewestStops = 15

/** What the focus is on: whether it is the end of the page, and what is wrong with how it shows. */
const stopOf = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement
    if (active === null || active === document.body) return { isEnd: true, isSkip: false, fault: '' }
    const frame = document.activeElement?.closest('.mantine-InputWrapper-root')
    const around = [active, active.nextElementSibling, active.parentElement, frame, frame?.parentElement]
    const isRinged = [...around, active.closest('.mantine-Input-input')].some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    })
    const { top, bottom, left, right } = (
      active.matches('input') ? (active.parentElement ?? active) : active
    ).getBoundingClientRect()
    const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const fault = isRinged ? (isInSight ? '' : 'out of sight') : 'no ring'
    return {
      isEnd: false,
      isSkip: active.matches('a[href="#contenu"]'),
      fault: fault && `${fault}: ${active.outerHTML.slice(0, 160)}`,
    }
  })

/** From the top of the page, as somebody who has just come: where Tab stops is seen, comes in turn and leads out again. */
export async function keyboardFaultsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const faults = new Set<string>()
  await page.keyboard.press('Tab')
  if (!(await stopOf(page)).isSkip) faults.add('the first stop does not lead to the content')
  let stops = 0
  for (; stops < mostStops; stops += 1) {
    const stop = await stopOf(page)
    // After the last stop the browser's own controls come, then the first again.
    if (stop.isEnd || (stops > 0 && stop.isSkip)) break
    if (stop.fault) faults.add(stop.fault)
    await page.keyboard.press('Tab')
  }
  if (stops >= mostStops) faults.add(`Tab does not lead out after ${stops} stops`)
  if (stops <= fewestStops) faults.add(`Tab has ${stops} stops`)
  if (!(await page.getByRole('button', { name: 'Rechercher partout' }).isVisible())) faults.add('no search')
  if (!(await page.getByRole('navigation', { name: 'Écrans' }).isVisible())) faults.add('no menus')
  return Array.from(faults, (fault) => `by Tab: ${fault}`)
}
