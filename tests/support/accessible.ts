import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

// What a machine can tell of a page as it stands, one line a fault. Nothing here moves or changes it for good.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fading things have the contrast of neither side. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    // What turns while something loads never ends; of what is folded away `finished` may never come.
    const isEnding = ({ playState, effect }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().iterations !== Infinity
    await frame()
    do await frame()
    while (document.getAnimations().some(isEnding))
  })
}

/** What axe finds; `rules`: these alone. */
export async function faultsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  await drawn(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (only) => {
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }
    type Options = { resultTypes: ['violations']; runOnly?: { type: 'rule'; values: readonly string[] } }
    const { axe: engine } = globalThis as unknown as {
      axe: { run(options: Options): Promise<{ violations: Violation[] }> }
    }
    // Of what passes, one node is enough.
    const { violations } = await engine.run({
      resultTypes: ['violations'],
      ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
  }, rules)
}

/** What changes with the colours alone. */
export const colourRules = ['color-contrast', 'link-in-text-block'] as const

export const isWiderThanScreen = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** Titles, zones, tables, pictures and references to nothing: what axe leaves to whoever looks. */
export const structureFaultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const faults: string[] = []
    const all = <E extends Element = HTMLElement>(selector: string) => [
      ...document.querySelectorAll<E>(selector),
    ]
    const told = (element: Element) => element.outerHTML.slice(0, 160)

    if (document.doctype?.name !== 'html') faults.push('no doctype')
    if (document.documentElement.lang !== 'fr') faults.push('the language is not French')
    const levels = all('h1, h2, h3, h4, h5, h6')
      .filter((heading) => heading.checkVisibility())
      .map((heading) => Number(heading.tagName.slice(1)))
    if (levels.filter((level) => level === 1).length !== 1)
      faults.push(`headings of level 1: ${levels.join(' ')}`)
    if (levels.some((level, at) => level > (levels[at - 1] ?? 0) + 1))
      faults.push(`a level is skipped: ${levels.join(' ')}`)
    for (const zone of ['main', 'header:not(main header)'])
      if (all(zone).length !== 1) faults.push(`${all(zone).length} of ${zone}`)
    const navigations = all('nav').map((nav) => nav.getAttribute('aria-label'))
    if (navigations.length === 0 || navigations.includes(null)) faults.push('a navigation has no name')

    for (const table of all('table').filter((one) => one.checkVisibility())) {
      const isNamed = table.querySelector('caption') ?? table.matches('[aria-label], [aria-labelledby]')
      if (!isNamed) faults.push(`a table without a title: ${told(table)}`)
      if (!table.querySelector('th')) faults.push(`a table without headers: ${told(table)}`)
    }
    faults.push(...all('th:not([scope])').map((header) => `a header of nothing: ${told(header)}`))

    // Of a button only the name is read, never what is in it.
    const isHidden = (element: Element) => element.closest('[aria-hidden="true"], button') !== null
    for (const picture of all('svg'))
      if (!isHidden(picture) && !picture.matches('[aria-label], [aria-labelledby]'))
        faults.push(`a picture neither named nor hidden: ${told(picture)}`)
    faults.push(...all('img:not([alt])').map((image) => `an image without alternative: ${told(image)}`))

    const ids = all('[id]').map(({ id }) => id)
    faults.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two of #${id}`))
    for (const name of ['aria-labelledby', 'aria-describedby'])
      for (const element of all(`[${name}]`))
        for (const id of (element.getAttribute(name) ?? '').split(/\s+/))
          if (document.getElementById(id) === null) faults.push(`${name} leads to nothing: ${told(element)}`)

    const presentational =
      'center, font, big, tt, marquee, blink, [align], [bgcolor], [border], [valign], [nowrap]'
    faults.push(...all(presentational).map((element) => `presentation in the page: ${told(element)}`))
    faults.push(
      ...all('[tabindex]')
        .filter(({ tabIndex }) => tabIndex > 0)
        .map(told),
    )
    return faults
  })

/** Fields whose edge is told from what is around them by less than 3:1. */
export const paleFieldsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const partsOf = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const lightOf = ([red = 0, green = 0, blue = 0]: number[]) => {
      const [r, g, b] = [red, green, blue].map((value) => {
        const part = value / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      }) as [number, number, number]
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const groundOf = (element: Element | null): number[] => {
      for (let one = element; one !== null; one = one.parentElement) {
        const ground = partsOf(getComputedStyle(one).backgroundColor)
        if (ground.length === 3 || (ground[3] ?? 0) > 0) return ground
      }
      return [255, 255, 255]
    }
    /** Where the field itself has none, what is drawn around it is its edge. */
    const boxOf = (element: Element): Element | null => {
      for (let one: Element | null = element; one !== null && one.tagName !== 'MAIN'; one = one.parentElement)
        if (parseFloat(getComputedStyle(one).borderTopWidth) > 0) return one
      return null
    }
    return [...document.querySelectorAll('main .mantine-Input-input')]
      .filter((field) => field.checkVisibility() && !field.matches(':focus-within, :disabled'))
      .flatMap((field) => {
        const box = boxOf(field)
        if (box === null) return [`no edge: ${field.outerHTML.slice(0, 120)}`]
        const edge = lightOf(partsOf(getComputedStyle(box).borderTopColor))
        const ground = lightOf(groundOf(box.parentElement))
        const ratio = (Math.max(edge, ground) + 0.05) / (Math.min(edge, ground) + 0.05)
        return ratio < 3 ? [`${ratio.toFixed(2)}: ${field.outerHTML.slice(0, 120)}`] : []
      })
  })

/** Texts that their box cuts; `apart` from these, which say them whole elsewhere. */
const cutTextsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    return [...document.querySelectorAll('#root *:not(svg, svg *)')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      // What is read aloud alone has no size.
      if (width < 2 || height < 2 || !element.checkVisibility() || !hasText(element)) return []
      const { overflowX, overflowY } = getComputedStyle(element)
      const isCut =
        (hides(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
        (hides(overflowY) && element.scrollHeight > element.clientHeight + 3)
      return isCut ? [`${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`] : []
    })
  })

/** What is cut, or makes the page wider, once texts are spaced as far as readers may ask for (WCAG 1.4.12). */
export async function spacingFaultsOf(page: Page): Promise<string[]> {
  const before = new Set(await cutTextsOf(page))
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*:not(svg, svg *) { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
    )
    document.adoptedStyleSheets.push(sheet)
  })
  await drawn(page)
  const cut = (await cutTextsOf(page)).filter((text) => !before.has(text))
  const isWide = await isWiderThanScreen(page)
  await page.evaluate(() => void document.adoptedStyleSheets.pop())
  return isWide ? [...cut, 'the page is wider than its screen'] : cut
}

/** Goes to another screen as its links do, and waits until it has come, which its title tells, with all that is in it. */
export async function goWithin(page: Page, path: string): Promise<void> {
  // A second try begins where the first ended.
  const { pathname, search } = new URL(page.url())
  if (pathname + search === path) await goWithin(page, '/nulle-part')
  const before = await page.title()
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction((title) => document.title !== title, before)
  await untilThere(page)
}

/** Waits until nothing is drawn in outline any more, nor added. */
export async function untilThere(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const isThere = () =>
      document.querySelector('main h1') !== null &&
      document.querySelector('.mantine-Skeleton-root, main [aria-busy="true"], main [data-coming]') === null
    const since = document.querySelectorAll('*').length
    await new Promise((resolve) => setTimeout(resolve, 120))
    return isThere() && document.querySelectorAll('*').length === since
  })
}
