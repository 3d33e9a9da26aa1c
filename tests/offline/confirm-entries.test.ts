import { describe, expect, it } from 'vitest'

import { confirmEntries } from '../../src/offline/confirm-entries.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { importedProblem, unsealedProblem } from '../../src/offline/unproven.ts'
import { benevole, biblio, change, freshDevice, lending, outboxNews, record, signIn } from './device.ts'

freshDevice()

const unproven = async (n: number, person = biblio, problem = unsealedProblem) =>
  change(await record(lending(n), person), { state: 'conflict', seal: null, problem, next_try: 9e15 })

describe('confirmEntries', () => {
  it('seals again what its owner says is theirs, and queues it', async () => {
    await signIn()
    const [one, other] = [await unproven(1), await unproven(2, biblio, importedProblem)]
    const heard = outboxNews()
    expect(await confirmEntries([one.id, other.id], biblio)).toBe(2)
    for (const { id } of [one, other]) {
      const entry = await getEntry(id)
      expect(entry).toMatchObject({ state: 'queued', problem: null, next_try: 0 })
      expect(entry?.seal).not.toBeNull()
    }
    expect(heard).toEqual([{ ids: [one.id, other.id], to_send: true }])
  })

  it('frees what waited behind it', async () => {
    await signIn()
    const one = await unproven(1)
    const behind = await change(await record(lending(1, 2)), { state: 'waiting' })
    await confirmEntries([one.id], biblio)
    expect((await getEntry(behind.id))?.state).toBe('queued')
  })

  it('leaves alone what is another’s, was refused for a reason, or is not there', async () => {
    await signIn()
    const theirs = await unproven(1, benevole)
    const taken = await change(await unproven(2), {
      adopted_by: { user_id: benevole.user_id, username: 'benevole', at: '' },
    })
    const elsewhere = await change(await unproven(3), { environment_id: 2 })
    const refused = await unproven(4, biblio, { code: 409, reason: 'ALREADY_LENT', message: '', facts: null })
    const queued = await change(await unproven(5), { state: 'queued' })
    const heard = outboxNews()
    const all = [theirs, taken, elsewhere, refused, queued]
    expect(await confirmEntries([...all.map(({ id }) => id), 'nulle part'], biblio)).toBe(0)
    for (const entry of all) expect(await getEntry(entry.id)).toEqual(entry)
    expect(heard).toEqual([])
  })

  it('lets who took an action over confirm it', async () => {
    await signIn(benevole)
    const taken = await change(await unproven(1), {
      adopted_by: { user_id: benevole.user_id, username: 'benevole', at: '' },
    })
    expect(await confirmEntries([taken.id], benevole)).toBe(1)
    expect((await getEntry(taken.id))?.state).toBe('queued')
  })
})
