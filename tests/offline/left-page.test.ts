// @vitest-environment happy-dom
import { expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import { freshDevice } from './device.ts'

freshDevice()

it('the store of the device holds up no other page by a transaction of one that was left half-way', async () => {
  await new Promise<void>((resolve) => {
    const left = transact(['meta', 'outbox'], 'readwrite', async (tx) => {
      await tx.objectStore('meta').put('half', 'clock')
      dispatchEvent(Object.assign(new Event('pagehide'), { persisted: true }))
      resolve()
      // As in a page that is kept as it stands, nothing more comes.
      await new Promise(() => undefined)
    })
    left.catch(() => undefined)
  })
  expect(await transact(['meta'], 'readonly', (tx) => tx.objectStore('meta').count())).toBe(0)
})
