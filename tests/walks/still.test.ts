import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { apiOf } from '../support/api-of.ts'
import { openDevice, signIn, type viewports } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { screenAddresses } from '../support/screen-addresses.ts'
import { adminPassword } from '../support/test-library.ts'
import { shiftsOf, untilStill, watchPages } from '../support/watch-page.ts'
import { becomeReadyForOffline, openCounter } from '../support/counter.ts'

/** More than are drawn at once, so that lists grow while they are looked at. */
const lateLoans = 12

/** It shows what the other two devices do meanwhile. */
const seenAlone = '/settings/devices'

/** What a tablet has open all day; what moves elsewhere moves on a phone or a desktop too, whose layouts it borrows. */
const onTablets =
  /^\/(home|loaning\/add|loaning\/return|loanings|references|beneficiaries|reservations.*|waiting|inventories.*|account)$/

describe('a screen', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await openRunningServer({ onPostgres: true })
    const api = await apiOf(server.address, 'admin', adminPassword)
    const late = { start_date: '2026-01-05', override_reason: 'Reprise du cahier' }
    for (let copy = 1; copy <= lateLoans; copy += 1)
      expect((await api.post('/api/loanings', { beneficiary: 2, copy, ...late })).status).toBe(201)
  })
  afterAll(() => server?.drop())

  const movedOn = async (viewport: keyof typeof viewports, paths: readonly string[]) => {
    // What offers to install comes late.
    const device = await openDevice(server.address, { viewport, isInstallable: true })
    try {
      const { page } = device
      await watchPages(page)
      await signIn(page, 'admin', adminPassword)
      await openCounter(page, 'Centre')
      await becomeReadyForOffline(page)
      const moved: string[] = []
      for (const path of paths) {
        await page.goto(path)
        await untilStill(page)
        for (const shift of await shiftsOf(page)) moved.push(`${path}: ${shift.moved.join('; ')}`)
      }
      return moved
    } finally {
      await device.close()
    }
  }
  const looks = ['phone', 'tablet', 'desktop'] as const

  // Each mostly waits for its screens to stand still, which three do as well at once.
  it.concurrent.each(looks)('moves nothing by itself while it comes, on a %s', async (viewport) => {
    const paths = screenAddresses().filter(
      (path) => path !== seenAlone && (viewport !== 'tablet' || onTablets.test(path)),
    )
    expect(await movedOn(viewport, paths)).toEqual([])
  })

  it.each(looks)('moves none of the devices while they come, on a %s', async (viewport) => {
    expect(await movedOn(viewport, [seenAlone])).toEqual([])
  })
})
