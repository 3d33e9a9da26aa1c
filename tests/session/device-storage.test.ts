// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'

import { startDeviceReports } from '../../src/client/session/report-device.ts'
import { dropEntry } from '../../src/offline/outbox-decisions.ts'
import { freshDevice, lending, record, signIn } from '../offline/device.ts'

freshDevice()
afterEach(() => vi.unstubAllGlobals())

it('a page asks the browser to keep the device’s data once it holds an action, and does not ask again', async () => {
  const persist = vi.fn(() => Promise.resolve(true))
  Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const stop = startDeviceReports()
  await signIn()
  expect(persist).not.toHaveBeenCalled()
  const { id } = await record(lending(1))
  expect(persist).toHaveBeenCalledOnce()
  await dropEntry(id, 'biblio', 'Erreur')
  expect(persist).toHaveBeenCalledOnce()
  stop()
})
