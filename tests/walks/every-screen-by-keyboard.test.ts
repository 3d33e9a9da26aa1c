import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { goWithin, untilThere } from '../support/accessible.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { screenAddresses } from '../support/screen-addresses.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'
import { expectFocus } from './hands.ts'

// Each screen with the keyboard alone: where Tab stops is seen, comes in turn and leads out again.

/** More than any screen of the small library has. */
const mostStops = 250

const nowhere = '/nulle-part'

/** What the focus is on: whether it is the end of the page, and what is wrong with how it shows. */
const stopOf = (page: Page) =>
  page.evaluate(() => {
    const active = document.activeElement
    if (active === null || active === document.body) return { isEnd: true, isSkip: false, fault: '' }
    const frame = document.activeElement?.closest('.mantine-InputWrapper-root')
    const around = [active, active.nextElementSibling, active.parentElement, frame, frame?.parentElement]
    const hasRing = [...around, active.closest('.mantine-Input-input')].some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
    })
    // The ring is within a frame, on what the browser's own reader of PDFs has there.
    const isRinged = hasRing || active.matches('iframe[src^="blob:"]')
    const { top, bottom, left, right } = (
      active.matches('input') ? (active.parentElement ?? active) : active
    ).getBoundingClientRect()
    const isVisible = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const fault = isRinged ? (isVisible ? '' : 'out of sight') : 'no ring'
    return {
      isEnd: false,
      isSkip: active.matches('a[href="#contenu"]'),
      fault: fault && `${fault}: ${active.outerHTML.slice(0, 160)}`,
    }
  })

describe('every screen, by the keyboard', () => {
  let server: RunningServer
  let device: Device
  let page: Page

  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    const api = await apiOf(server.address, 'admin', adminPassword)
    for (const [path, body] of [
      ['/api/loanings', { beneficiary: 1, copy: 2 }],
      ['/api/reservations', { beneficiary_id: 2, reference_id: 3 }],
      ['/api/inventories', { name: 'Récolement', site: 1 }],
    ] as const)
      expect([path, (await api.post(path, body)).status]).toEqual([path, 201])
    device = await openDevice(server.address, { viewport: 'desktop', still: true, keepsShell: false })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    // So that the first screen comes as all others do.
    await goWithin(page, nowhere)
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it.each(screenAddresses())('%s', async (path) => {
    // A screen takes the focus that nothing has: at once where it has a heading of its own, which one beside its list has not.
    if (new URL(page.url()).pathname !== nowhere) await goWithin(page, nowhere)
    await goWithin(page, path)
    // From the top of the page, as somebody who has just come.
    await page.evaluate(() => {
      document.body.tabIndex = -1
      document.body.focus()
      document.body.removeAttribute('tabindex')
    })
    const faults = new Set<string>()
    await page.keyboard.press('Tab')
    expect((await stopOf(page)).isSkip).toBe(true)
    let stops = 0
    for (; stops < mostStops; stops += 1) {
      const stop = await stopOf(page)
      // After the last stop the browser's own controls come, then the first again.
      if (stop.isEnd || (stops > 0 && stop.isSkip)) break
      if (stop.fault) faults.add(stop.fault)
      await page.keyboard.press('Tab')
    }
    expect([...faults]).toEqual([])
    expect(stops).toBeLessThan(mostStops)
    // Search and menus are on the way, on every screen.
    expect(stops).toBeGreaterThan(15)
    expect(await page.getByRole('button', { name: 'Rechercher partout' }).isVisible()).toBe(true)
    expect(await page.getByRole('navigation', { name: 'Écrans' }).isVisible()).toBe(true)
  })

  it('leads past bar and menus to the content', async () => {
    await goWithin(page, '/references')
    await page.getByRole('link', { name: 'Aller au contenu' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('contenu')
  })

  it.each([
    ['desktop', 'Références', null],
    // Which begins in a field as well.
    ['phone', 'Rendre', 'Exemplaire rendu'],
  ] as const)(
    'gives the focus that was left in the menus to the new screen, on a %s',
    async (viewport, name, field) => {
      await page.setViewportSize(viewports[viewport])
      const menus = page.getByRole('navigation', { name: /^(Écrans|Places)$/ })
      await menus.getByRole('link', { name: 'Accueil' }).press('Enter')
      await untilThere(page)
      // Which has a field of its own for what is scanned.
      await expectFocus(page, 'Code-barres, carte ou nom du lecteur')
      await menus.getByRole('link', { name }).press('Enter')
      if (field) await expectFocus(page, field)
      else {
        const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 3))
        await expect.poll(focused).toBe('<h1')
      }
      expect(await page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('contenu')
      await page.setViewportSize(viewports.desktop)
    },
  )

  it('ties what is wrong to its field, and gives that the focus', async () => {
    await goWithin(page, '/beneficiaries/add')
    await page.getByRole('button', { name: 'Enregistrer' }).press('Enter')
    await page.locator('[aria-invalid="true"]').first().waitFor()
    const faults = await page.locator('main [aria-invalid="true"]').evaluateAll((fields) =>
      fields.map((field) =>
        (field.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent ?? '')
          .join(' ')
          .trim(),
      ),
    )
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.filter((said) => said === '')).toEqual([])
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')))
      .toBe('true')
  })
})
