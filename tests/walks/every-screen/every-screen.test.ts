import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { goWithin, untilThere } from '../../support/accessible.ts'
import { apiOf } from '../../support/api-of.ts'
import { type Device, openDevice, signIn, viewports } from '../../support/browser.ts'
import { becomeReadyForOffline, chooseSite, openCounter } from '../../support/counter.ts'
import { openRunningServer, type RunningServer } from '../../support/running-server.ts'
import { screenAddresses } from '../../support/screen-addresses.ts'
import { adminPassword, testPassword } from '../../support/test-library.ts'
import { watchPages } from '../../support/watch-page.ts'
import { expectFocus } from '../hands.ts'
import { closedScreens, deadEndsFromHome } from './dead-ends.ts'
import { furnishForWalk, useForWalk } from './furnish.ts'
import { keyboardFaultsOf } from './keyboard.ts'
import { movesOf } from './moves.ts'
import { desktopFaultsOf, phoneFaultsOf } from './readable.ts'

// Each screen of src/client/app/screens.tsx is opened once on a phone, a tablet and a desktop, and asked everything there: what it
// moves while it comes, what a machine can tell of RGAA, where Tab leads. Then those without rights walk from door to door.

/** Figures of years in which the library of the tests lent. */
const addresses = [
  ...screenAddresses().map((path) =>
    path.startsWith('/statistics/') ? `${path}?start_date=2022-01-01&end_date=2022-12-31&year=2022` : path,
  ),
  '/accessibility',
]

/** It shows what the other devices do meanwhile. */
const seenAlone = '/settings/devices'

/** What a tablet has open all day; what moves elsewhere moves on a phone or a desktop too, whose layouts it borrows. */
const onTablets =
  /^\/(home|loaning\/add|loaning\/return|loanings|references|beneficiaries|reservations.*|waiting|inventories.*|account)$/

type Viewport = 'phone' | 'tablet' | 'desktop'

let server: RunningServer
beforeAll(async () => {
  server = await openRunningServer({ onPostgres: true, prepare: furnishForWalk })
  await useForWalk(await apiOf(server.address, 'admin', adminPassword))
})
afterAll(() => server?.drop())

describe('every screen is readable by everyone', () => {
  const devices = new Map<Viewport, Device>()
  const titles = new Map<string, string>()
  const pageOn = (viewport: Viewport): Page => {
    const device = devices.get(viewport)
    if (!device) throw new Error(`The ${viewport} is not open.`)
    return device.page
  }

  beforeAll(async () => {
    for (const viewport of ['phone', 'tablet', 'desktop'] as const) {
      const device = await openDevice(server.address, { viewport })
      devices.set(viewport, device)
      await watchPages(device.page)
      await signIn(device.page, 'admin', adminPassword)
      await openCounter(device.page, 'Centre')
      await becomeReadyForOffline(device.page)
    }
  })
  afterAll(async () => {
    for (const device of devices.values()) {
      expect(device.errors).toEqual([])
      await device.close()
    }
  })

  const asked: Record<Viewport, (path: string) => Promise<string[]>> = {
    phone: async (path) => {
      const page = pageOn('phone')
      return [...(await movesOf(page, path)), ...(await phoneFaultsOf(page))]
    },
    tablet: async (path) => (onTablets.test(path) ? movesOf(pageOn('tablet'), path) : []),
    desktop: async (path) => {
      const page = pageOn('desktop')
      const moves = await movesOf(page, path)
      titles.set(path, await page.title())
      return [...moves, ...(await desktopFaultsOf(page)), ...(await keyboardFaultsOf(page))]
    },
  }
  const nothing = { phone: [], tablet: [], desktop: [] }

  it.each(addresses.filter((path) => path !== seenAlone))('%s', async (path) => {
    // Each mostly waits for its screen to stand still, which three do as well at once.
    const [phone, tablet, desktop] = await Promise.all([
      asked.phone(path),
      asked.tablet(path),
      asked.desktop(path),
    ])
    expect({ phone, tablet, desktop }).toEqual(nothing)
  })

  it(`${seenAlone}, on one device after the other`, async () => {
    const phone = await asked.phone(seenAlone)
    const tablet = await movesOf(pageOn('tablet'), seenAlone)
    const desktop = await asked.desktop(seenAlone)
    expect({ phone, tablet, desktop }).toEqual(nothing)
  })

  it('has a title that no other has', () => {
    const paths = [...titles.keys()]
    const alike = paths.filter((path) =>
      paths.some((one) => one !== path && titles.get(one) === titles.get(path)),
    )
    expect(alike.map((path) => `${path}: ${titles.get(path)}`)).toEqual([])
    expect(paths.filter((path) => !/^\S.* · Comptoir$/.test(titles.get(path) ?? ''))).toEqual([])
    expect(titles.size).toBe(addresses.length)
  })
})

describe('every screen, by the keyboard', () => {
  let device: Device
  let page: Page
  beforeAll(async () => {
    device = await openDevice(server.address, { viewport: 'desktop', still: true })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
  })

  it('leads past bar and menus to the content', async () => {
    await goWithin(page, '/references')
    await page.getByRole('link', { name: 'Aller au contenu' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('contenu')
  })

  it.each([
    ['desktop', 'Références'],
    ['phone', 'Rendre'],
  ] as const)(
    'gives the focus that was left in the menus to the new screen, on a %s',
    async (viewport, name) => {
      await page.setViewportSize(viewports[viewport])
      const menus = page.getByRole('navigation', { name: /^(Écrans|Places)$/ })
      await menus.getByRole('link', { name: 'Accueil' }).press('Enter')
      await untilThere(page)
      // Which has a field of its own for what is scanned.
      await expectFocus(page, 'Code-barres, carte ou nom du lecteur')
      await menus.getByRole('link', { name }).press('Enter')
      const focused = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 3))
      await expect.poll(focused).toBe('<h1')
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

describe.each([
  ['lecture', 'desktop'],
  ['benevole', 'tablet'],
  ['personne', 'phone'],
] as const)('%s, on a %s', (person, viewport) => {
  let device: Device
  const refused: string[] = []
  beforeAll(async () => {
    device = await openDevice(server.address, { viewport })
    device.page.on('response', (response) => {
      if (response.status() === 403) refused.push(`${device.page.url()} asked ${response.url()}`)
    })
    await signIn(device.page, person, testPassword)
    // Whoever works at several sites is asked for one.
    if (person !== 'personne') await chooseSite(device.page)
    await device.page.locator('main h1').first().waitFor({ state: 'attached' })
  })
  afterAll(() => device?.close())

  it('is led to nothing that is closed', async () => {
    const { seen, deadEnds } = await deadEndsFromHome(device.page)
    expect(deadEnds).toEqual([])
    expect(refused).toEqual([])
    expect(seen).toBeGreaterThan(2)
  })

  it('is told of every other screen that it is closed, with a way home', async () => {
    refused.length = 0
    const { told, withoutWayHome } = await closedScreens(device.page)
    expect(withoutWayHome).toEqual([])
    expect(told).toBeGreaterThan(2)
    expect(refused).toEqual([])
    expect(device.errors).toEqual([])
  })
})
