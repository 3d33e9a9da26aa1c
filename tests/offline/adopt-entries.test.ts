import { describe, expect, it } from 'vitest'

import { adoptEntries } from '../../src/offline/adopt-entries.ts'
import { confirmEntries } from '../../src/offline/confirm-entries.ts'
import type { EntryState, Problem } from '../../src/offline/entry.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { importedProblem } from '../../src/offline/unproven.ts'
import { benevole, biblio, change, freshDevice, lending, outboxNews, record, signIn } from './device.ts'

freshDevice()

const at = new Date('2026-03-10T09:00:00Z')
const taker = { environment_id: 1, user_id: 3, username: 'benevole' }
const adopted_by = { user_id: 3, username: 'benevole', at: '2026-03-10T09:00:00.000Z' }
const ofBiblio = '1/2'
const adopt = () => adoptEntries(ofBiblio, taker, at)
const problemOf = (code: number, reason: Problem['reason']): Problem => ({
  code,
  reason,
  message: '',
  facts: null,
})

describe('adoptEntries', () => {
  it('gives what is unsettled to the taker, who signs it, and tells both names', async () => {
    await signIn(benevole)
    const [one, other] = [await record(lending(1), biblio), await record(lending(2), biblio)]
    await change(one, { next_try: 9e15 })
    const heard = outboxNews()
    expect(await adopt()).toBe(2)
    const adopted = await getEntry(one.id)
    expect(adopted).toMatchObject({
      user_id: 2,
      username: 'biblio',
      adopted_by,
      next_try: 0,
      state: 'queued',
    })
    expect(adopted?.seal).not.toBeNull()
    expect(heard).toEqual([{ ids: [one.id, other.id], to_send: true }])
  })

  it('takes nothing that is settled, another person’s or of another organisation', async () => {
    await signIn(benevole)
    const all = [
      await change(await record(lending(1)), { state: 'done' }),
      await change(await record(lending(2)), { state: 'set_aside' }),
      await record(lending(3), { ...biblio, user_id: 9 }),
      await record(lending(4), { ...biblio, environment_id: 2 }),
      await change(await record(lending(5)), { adopted_by: { ...adopted_by, user_id: 9 } }),
    ]
    const heard = outboxNews()
    expect(await adopt()).toBe(0)
    expect(await adoptEntries('2/2', taker, at)).toBe(0)
    for (const entry of all) expect(await getEntry(entry.id)).toEqual(entry)
    expect(heard).toEqual([])
  })

  it('gives their own action back to whom it was taken from, under their name alone', async () => {
    await signIn(biblio)
    const taken = await change(await record(lending(1), biblio), { adopted_by })
    expect(await adoptEntries('1/3', { ...taker, user_id: 2, username: 'biblio' }, at)).toBe(1)
    expect(await getEntry(taken.id)).toMatchObject({ user_id: 2, adopted_by: null })
  })

  it.each<[string, EntryState, Problem | null, EntryState]>([
    ['a right that was missing', 'conflict', problemOf(403, 'RIGHT_MISSING'), 'queued'],
    ['what came in a file', 'conflict', importedProblem, 'queued'],
    ['a broken seal', 'conflict', problemOf(422, 'SEAL_BROKEN'), 'queued'],
    ['what was on its way', 'sending', null, 'queued'],
    ['a refused loan', 'conflict', problemOf(409, 'ALREADY_LENT'), 'conflict'],
    ['what the server lost', 'conflict', problemOf(0, 'RECEIPT_LOST'), 'conflict'],
    ['a conflict without a word', 'conflict', null, 'conflict'],
    ['what always fails', 'quarantined', problemOf(403, 'ALWAYS_FAILS'), 'quarantined'],
  ])('of %s (%s) leaves what it can try', async (_, state, problem, then) => {
    await signIn(benevole)
    const entry = await change(await record(lending(1), biblio), { state, problem })
    await adopt()
    expect(await getEntry(entry.id)).toMatchObject({
      state: then,
      problem: then === 'queued' ? null : problem,
      adopted_by,
    })
  })

  it('lets what stood behind the other person’s action go', async () => {
    await signIn(benevole)
    await record(lending(1), biblio)
    const behind = await change(await record(lending(1, 2), benevole), { state: 'waiting' })
    await adopt()
    expect((await getEntry(behind.id))?.state).toBe('queued')
  })

  it('leaves what the server lost to be read by the taker, who may then confirm it', async () => {
    await signIn(benevole)
    const lost = await change(await record(lending(1), biblio), {
      state: 'conflict',
      problem: problemOf(0, 'RECEIPT_LOST'),
    })
    await adopt()
    expect(await confirmEntries([lost.id], taker)).toBe(1)
  })
})
