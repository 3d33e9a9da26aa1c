import { describe, expect, it } from 'vitest'

import type { Entry, EntryState } from '../../src/offline/entry.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import { pendingOver } from '../../src/offline/pending-over.ts'
import { change, freshDevice, lending, record, returning } from './device.ts'

freshDevice()

const row = (id: number, copy: number) => ({
  id,
  copy,
  copy_barcode: String(1000 + copy),
  status: 'in_progress' as const,
})
const set = (entry: Entry, state: EntryState) => change(entry, { state })
const pending = async (...rows: ReturnType<typeof row>[]) => {
  const { returns, lends } = pendingOver(rows, await listEntries())
  return { returns: [...returns].map(([id, entry]) => [id, entry.id]), lends: lends.map(({ id }) => id) }
}

describe('pendingOver', () => {
  it('marks the rows that a waiting return closes, by copy, by code or by loan', async () => {
    const byCopy = await record(returning(1))
    const byCode = await record({ ...returning(2), copy_id: null })
    const byLoan = await record({
      ...returning(3),
      endpoint: 'loanings.return',
      params: { id: '30' },
      copy_id: null,
      bar_code: null,
    })
    expect((await pending(row(10, 1), row(20, 2), row(30, 3), row(40, 4))).returns).toEqual([
      [10, byCopy.id],
      [20, byCode.id],
      [30, byLoan.id],
    ])
    expect(await pending({ ...row(10, 1), status: 'finished' as 'in_progress' })).toMatchObject({
      returns: [],
    })
  })

  it('shows waiting lends on top, newest first, refused ones included, until the copy is taken back', async () => {
    const first = await record(lending(1))
    const second = await record(lending(2))
    const third = await record(lending(3))
    await set(second, 'conflict')
    await record(returning(3, third))
    expect(await pending(row(10, 3))).toEqual({ returns: [], lends: [second.id, first.id] })
  })

  it('speaks of nothing that is settled', async () => {
    await set(await record(lending(1)), 'done')
    await set(await record(returning(2)), 'set_aside')
    expect(await pending(row(10, 2))).toEqual({ returns: [], lends: [] })
  })

  it('takes no return that names a loan of the outbox for one of a loan on the server', async () => {
    const lend = await record(lending(1))
    await record(returning(1, lend))
    expect(await pending(row(10, 1))).toEqual({ returns: [], lends: [] })
  })

  it('prefers the return of that very loan to one of the copy', async () => {
    await record(returning(1))
    const byLoan = await record({ ...returning(2), endpoint: 'loanings.return', params: { id: '10' } })
    expect((await pending(row(10, 1))).returns).toEqual([[10, byLoan.id]])
  })

  it('takes no return of a loan for one of the copy’s next loan', async () => {
    const byLoan = await record({ ...returning(1), endpoint: 'loanings.return', params: { id: '10' } })
    expect((await pending(row(10, 1), row(11, 1))).returns).toEqual([[10, byLoan.id]])
  })

  it('shows a loan made after the copy came back, and one that another loan followed', async () => {
    await record(returning(1))
    const [one, other] = [await record(lending(1)), await record(lending(1, 2))]
    expect((await pending(row(10, 1))).lends).toEqual([other.id, one.id])
  })

  it('shows no loan that came back by its bar code alone', async () => {
    await record(lending(1))
    await record({ ...returning(1), copy_id: null })
    expect((await pending()).lends).toEqual([])
  })
})
