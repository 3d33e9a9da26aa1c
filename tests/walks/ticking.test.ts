import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Device, openDevice, signIn } from '../support/browser.ts'
import { openRunningServer, type RunningServer } from '../support/running-server.ts'
import { adminPassword } from '../support/test-library.ts'
import { untilStill } from '../support/watch-page.ts'
import { openCounter } from '../support/counter.ts'

describe.each(['tablet', 'desktop'] as const)('ticking copies, on a %s', (viewport) => {
  let server: RunningServer
  let device: Device
  beforeAll(async () => {
    server = await openRunningServer()
    device = await openDevice(server.address, { viewport, keepsShell: false })
    await signIn(device.page, 'admin', adminPassword)
    await openCounter(device.page)
  })
  afterAll(async () => {
    expect(device?.errors).toEqual([])
    await device?.close()
    await server?.drop()
  })

  it('moves no row', async () => {
    const { page } = device
    await page.goto('/settings/copies')
    const row = page.getByRole('row').nth(3)
    await row.waitFor()
    await untilStill(page)
    const at = await row.boundingBox()
    const boxes = page.getByRole('checkbox', { name: /^Choisir/ })
    for (const one of [1, 2, 3]) {
      await boxes.nth(one).click()
      expect((await row.boundingBox())?.y).toBe(at?.y)
    }
    await page.getByText('3 exemplaires choisis').waitFor()
  })
})
