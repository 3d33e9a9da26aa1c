import { describe, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import type { Entry } from '../../src/offline/entry.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { dropped, followInstead, repointed } from '../../src/offline/replace-entry.ts'
import { change, freshDevice, lending, record, returning } from './device.ts'

freshDevice()

const sentOf = ({ frozen_body }: Entry) => JSON.parse(frozen_body) as Record<string, unknown>

describe('dropped', () => {
  it('sets an entry aside at the time and by the word of whoever decided, without names', async () => {
    const named = { ...lending(1), label: { ...lending(1).label, beneficiary: 'Alice Martin (M1)' } }
    const entry = await record(named)
    const decision = { username: 'biblio', reason: 'Resté au comptoir', at: '2026-03-10T09:00:00.000Z' }
    expect(dropped(entry, decision)).toMatchObject({
      id: entry.id,
      state: 'set_aside',
      settled_at: '2026-03-10T09:00:00.000Z',
      decision,
      label: { beneficiary: null },
    })
  })
})

describe('repointed', () => {
  it('names another loan where the body named the former one, as it was frozen too', async () => {
    const back = await record(returning(1, { id: 'ancien' }))
    const moved = repointed(back, 'nouveau')
    expect(moved).toMatchObject({ depends_on: 'nouveau', body: { bar_code: '1001', loan_key: 'nouveau' } })
    expect(sentOf(moved)).toEqual({ ...sentOf(back), loan_key: 'nouveau' })
    expect(repointed(moved, null).body['loan_key']).toBeNull()
  })

  it('keeps a body that names another loan than the entry waits for, or none', async () => {
    const other = await record({ ...returning(1, { id: 'autre' }), depends_on: 'ancien' })
    expect(repointed(other, 'nouveau')).toEqual({ ...other, depends_on: 'nouveau' })
    const none = await record(lending(2, 1, { depends_on: 'ancien' }))
    expect(repointed(none, 'nouveau')).toEqual({ ...none, depends_on: 'nouveau' })
  })

  it('touches nothing that waits for the same entry already', async () => {
    const back = await record(returning(1, { id: 'ancien' }))
    expect(repointed(back, 'ancien')).toBe(back)
    const free = await record(returning(2))
    expect(repointed(free, null)).toBe(free)
  })
})

describe('followInstead', () => {
  it('moves those that wait for the old one and were never sent, sealed anew', async () => {
    const lend = await record(lending(1))
    const unsent = await record(returning(1, lend))
    const sent = await change(await record(returning(1, lend)), { attempts: 1 })
    const settled = await change(await record(returning(1, lend)), { state: 'set_aside' })
    const stranger = await record(returning(2, { id: 'autre' }))
    await transact(['outbox', 'meta'], 'readwrite', (tx) =>
      followInstead(tx, lend.id, 'nouveau', (entry) => ({ ...entry, seal: { id: 'neuf', mac: 'm' } })),
    )
    expect(await getEntry(unsent.id)).toMatchObject({
      depends_on: 'nouveau',
      body: { loan_key: 'nouveau' },
      seal: { id: 'neuf' },
    })
    for (const entry of [sent, settled, stranger]) expect(await getEntry(entry.id)).toEqual(entry)
  })
})
