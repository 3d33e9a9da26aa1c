import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  colourRules,
  faultsOf,
  goWithin,
  isWiderThanScreen,
  paleFieldsOf,
  spacingFaultsOf,
  structureFaultsOf,
} from '../support/accessible.ts'
import { apiOf } from '../support/api-of.ts'
import { type Device, openDevice, signIn, viewports } from '../support/browser.ts'
import { addManyRows } from '../support/many-rows.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { screenAddresses } from '../support/screen-addresses.ts'
import { adminPassword } from '../support/test-library.ts'
import { openCounter } from '../support/counter.ts'

// Each screen once, on one page that goes from one to the next as its links do: what a machine can tell of RGAA
// (src/client/accessibility/criteria.ts), on a desktop and a phone, light and dark, at 320 px, spaced.

/** Figures of years in which the library of the tests lent. */
const addresses = screenAddresses().map((path) =>
  path.startsWith('/statistics/') ? `${path}?start_date=2022-01-01&end_date=2022-12-31&year=2022` : path,
)

const small = { width: 320, height: 640 }

describe('every screen is readable by everyone', () => {
  let server: RunningServer
  let device: Device
  let page: Page
  const titles = new Map<string, string>()

  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true, prepare: (db) => addManyRows(db, 40) })
    const api = await apiOf(server.address, 'admin', adminPassword)
    const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
    // Something of each kind, so that no screen is empty.
    for (const [path, body] of [
      ['/api/loanings', { beneficiary: 2, copy: 1, ...late }],
      ['/api/loanings', { beneficiary: 1, copy: 2 }],
      ['/api/reservations', { beneficiary_id: 2, reference_id: 3 }],
      ['/api/inventories', { name: 'Récolement', site: 1 }],
      ['/api/keywords', { name: 'Mer' }],
    ] as const)
      expect([path, (await api.post(path, body)).status]).toEqual([path, 201])
    await api.put('/api/copies/4', { type: 'Vente', price: '2.00' })
    expect((await api.post('/api/sales', { beneficiary: 1, copy: 4 })).status).toBe(201)
    // With what offers to install, on the screens that have it.
    device = await openDevice(server.address, {
      viewport: 'desktop',
      still: true,
      keepsShell: false,
      isInstallable: true,
    })
    page = device.page
    await signIn(page, 'admin', adminPassword)
    await openCounter(page, 'Centre')
    // So that the first screen comes as all others do.
    await goWithin(page, '/nulle-part')
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  const look = async (size: { width: number; height: number }, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
  }

  const nothing = {
    structure: [],
    desktop: [],
    desktopDark: [],
    paleFields: [],
    phone: [],
    phoneDark: [],
    spaced: [],
    isWide: false,
  }
  const audit = async () => {
    await look(viewports.desktop, 'light')
    const structure = await structureFaultsOf(page)
    const desktop = await faultsOf(page)
    const paleFields = await paleFieldsOf(page)
    await look(viewports.desktop, 'dark')
    const desktopDark = await faultsOf(page, colourRules)
    paleFields.push(...(await paleFieldsOf(page)))
    await look(viewports.phone, 'dark')
    const phoneDark = await faultsOf(page, colourRules)
    await look(viewports.phone, 'light')
    const phone = await faultsOf(page)
    await look(small, 'light')
    const isWide = await isWiderThanScreen(page)
    const spaced = await spacingFaultsOf(page)
    return { structure, desktop, desktopDark, paleFields, phone, phoneDark, spaced, isWide }
  }

  it.each(addresses)('%s', async (path) => {
    await look(viewports.desktop, 'light')
    await goWithin(page, path)
    titles.set(path, await page.title())
    expect(await audit()).toEqual(nothing)
  })

  it('the statement of accessibility, signed in', async () => {
    await goWithin(page, '/accessibility')
    titles.set('/accessibility', await page.title())
    expect(await audit()).toEqual(nothing)
  })

  it('has a title that no other has', () => {
    const paths = [...titles.keys()]
    const alike = paths.filter((path) =>
      paths.some((one) => one !== path && titles.get(one) === titles.get(path)),
    )
    expect(alike.map((path) => `${path}: ${titles.get(path)}`)).toEqual([])
    expect(paths.filter((path) => !/^\S.* · Comptoir$/.test(titles.get(path) ?? ''))).toEqual([])
    expect(titles.size).toBe(addresses.length + 1)
  })
})
