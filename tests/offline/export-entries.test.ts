import { IDBFactory } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { Entry } from '../../src/offline/entry.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { change, freshDevice, lending, record, reloadPage } from './device.ts'

freshDevice()
afterEach(() => vi.restoreAllMocks())

const at = new Date('2026-03-10T09:00:00Z')
const idsIn = (text: string) => (JSON.parse(text) as { entries: Entry[] }).entries.map(({ id }) => id)
const closeTheStore = () =>
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
    throw new DOMException('no store', 'UnknownError')
  })

describe('exportEntries', () => {
  it('writes all that is not done, dated, and what could not be stored after it', async () => {
    const waiting = await record(lending(1))
    await change(await record(lending(2)), { state: 'done' })
    const aside = await change(await record(lending(3)), { state: 'set_aside' })
    const unsaved = { ...waiting, id: 'pas écrite' }
    const text = await exportEntries([unsaved], at)
    expect(JSON.parse(text)).toMatchObject({ exported_at: '2026-03-10T09:00:00.000Z' })
    expect(idsIn(text)).toEqual([waiting.id, aside.id, 'pas écrite'])
  })

  it('saves what could not be stored though the store cannot be read, and fails where there is nothing else', async () => {
    const unsaved = await record(lending(1))
    await reloadPage()
    closeTheStore()
    expect(idsIn(await exportEntries([unsaved]))).toEqual([unsaved.id])
    await expect(exportEntries()).rejects.toThrow('no store')
  })
})
