import { beforeEach, describe, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { importEntries, ImportRefusedError, readQueue } from '../../src/offline/import-entries.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import {
  benevole,
  biblio,
  change,
  freshDevice,
  lending,
  outboxNews,
  record,
  returning,
  signIn,
} from './device.ts'

freshDevice()
beforeEach(() => signIn())

const emptyOutbox = () => transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
/** The file of what is there, with each entry changed as the text of the file would be. */
async function fileOf(change: (entry: Record<string, unknown>) => object = (entry) => entry, around = {}) {
  const file = JSON.parse(await exportEntries()) as { entries: Record<string, unknown>[] }
  return JSON.stringify({ ...file, entries: file.entries.map(change), ...around })
}

describe('importEntries', () => {
  it('adds what the device does not know, with its keys, and nothing twice', async () => {
    const lend = await record(lending(1))
    const back = await record(returning(1, lend))
    const file = await fileOf()
    expect(await importEntries(file, biblio)).toEqual({ added: 0, known: 2 })
    await emptyOutbox()
    const heard = outboxNews()
    expect(await importEntries(file, biblio)).toEqual({ added: 2, known: 0 })
    expect(await importEntries(file, biblio)).toEqual({ added: 0, known: 2 })
    expect(heard).toEqual([{ ids: [lend.id, back.id], to_send: true }])
    const { seq: _, ...rest } = lend
    expect(await getEntry(lend.id)).toMatchObject(rest)
    expect((await listEntries()).map(({ id }) => id)).toEqual([lend.id, back.id])
  })

  it('adds only what is new to the device', async () => {
    const known = await record(lending(1))
    const missing = await record(lending(2))
    const file = await fileOf()
    await transact(['outbox'], 'readwrite', (tx) => tx.store.delete(missing.seq))
    const heard = outboxNews()
    expect(await importEntries(file, biblio)).toEqual({ added: 1, known: 1 })
    expect(heard).toEqual([{ ids: [missing.id], to_send: true }])
    expect((await getEntry(known.id))?.seq).toBe(known.seq)
  })

  it('makes its own of the place, the times and the answers of the device that wrote the file', async () => {
    const entry = await change(await record(lending(1)), {
      state: 'sending',
      attempts: 3,
      faults: 2,
      place: 77,
      next_try: 9e15,
      last_status: 503,
      receipt: { id: 3 },
    })
    const file = await fileOf((one) => ({ ...one, of_a_later_version: true }))
    await emptyOutbox()
    await importEntries(file, biblio)
    expect(await getEntry(entry.id)).toMatchObject({
      state: 'queued',
      attempts: 3,
      faults: 2,
      place: null,
      next_try: 0,
      last_status: null,
      receipt: null,
      of_a_later_version: true,
    })
  })

  it.each([
    ['queued', 'queued'],
    ['conflict', 'conflict'],
    ['quarantined', 'quarantined'],
    ['set_aside', 'set_aside'],
  ] as const)('keeps what is %s', async (state, then) => {
    const entry = await change(await record(lending(1)), { state })
    const file = await fileOf()
    await emptyOutbox()
    await importEntries(file, biblio)
    expect((await getEntry(entry.id))?.state).toBe(then)
  })

  it('keeps names in what is to be settled only', async () => {
    const named = { ...lending(1), label: { ...lending(1).label, beneficiary: 'Alice Martin (M1)' } }
    const waiting = await record(named)
    const aside = await change(await record(named), { state: 'set_aside' })
    const file = await fileOf()
    await emptyOutbox()
    await importEntries(file, biblio)
    expect((await getEntry(waiting.id))?.label.beneficiary).toBe('Alice Martin (M1)')
    expect((await getEntry(aside.id))?.label.beneficiary).toBeNull()
  })

  it('asks the person about what another’s session made, and holds back what follows', async () => {
    const theirs = await record(lending(1), benevole)
    const own = await record(returning(1))
    const taken = await change(await record(lending(2), benevole), {
      adopted_by: { user_id: biblio.user_id, username: 'biblio', at: '2026-03-10T09:00:00.000Z' },
    })
    const settled = await change(await record(lending(3), benevole), { state: 'set_aside' })
    const file = await fileOf()
    await emptyOutbox()
    await importEntries(file, biblio)
    expect(await getEntry(theirs.id)).toMatchObject({ state: 'conflict', problem: { reason: 'IMPORTED' } })
    expect((await getEntry(own.id))?.state).toBe('waiting')
    expect(await getEntry(taken.id)).toMatchObject({ state: 'queued', problem: null })
    expect(await getEntry(settled.id)).toMatchObject({ state: 'set_aside', problem: null })
  })
})

describe('readQueue', () => {
  const refusalOf = (text: string) => {
    try {
      return readQueue(text, biblio).length
    } catch (error) {
      expect(error).toBeInstanceOf(ImportRefusedError)
      return (error as Error).message
    }
  }

  it.each(['', 'Bonjour', '{"format":', 'null', '[]', '{}'])('refuses « %s », which is no queue', (text) => {
    expect(refusalOf(text)).toMatch(/^Ce fichier n’est pas une file d’actions exportée de Comptoir/)
  })

  it('refuses the file of another format or version, and says what is wrong', async () => {
    expect(refusalOf(await fileOf(undefined, { format: 'autre' }))).toContain('«\u00a0format\u00a0»')
    expect(refusalOf(await fileOf(undefined, { v: 2 }))).toContain('«\u00a0v\u00a0»')
    expect(refusalOf('null')).toBe('Ce fichier n’est pas une file d’actions exportée de Comptoir.')
  })

  it.each<[string, Record<string, unknown>]>([
    ['id', { id: 'sans forme' }],
    ['v', { v: 2 }],
    ['endpoint', { endpoint: 'loanings.of_old' }],
    ['state', { state: 'done' }],
    ['frozen_body', { frozen_body: null }],
    ['occurred_at', { occurred_at: 'hier' }],
    ['device_id', { device_id: 'tablette' }],
    ['attempts', { attempts: '1' }],
    ['label.kind', { label: { kind: 'autre', title: '', beneficiary: null, due: null } }],
    ['adopted_by.at', { adopted_by: { user_id: 1, username: 'admin', at: 'hier' } }],
    ['decision.reason', { decision: { username: 'admin', at: '2026-03-10T09:00:00.000Z' } }],
    ['seal.mac', { seal: { id: 'sceau' } }],
    ['problem.message', { problem: { code: 409, reason: null, facts: null } }],
  ])('refuses a whole queue for one %s', async (field, change) => {
    await record(lending(1))
    await record(lending(2))
    let nth = 0
    expect(
      refusalOf(await fileOf((entry) => ((nth += 1) === 2 ? { ...entry, ...change } : entry))),
    ).toContain(`«\u00a0entries.1.${field}\u00a0»`)
  })

  it('refuses what is of another organisation, in part too', async () => {
    await record(lending(1))
    await record(lending(2), { ...biblio, environment_id: 2 })
    expect(refusalOf(await fileOf())).toBe('Ce fichier contient les actions d’une autre organisation.')
  })

  it('takes an empty queue, and one from before there were seals', async () => {
    expect(refusalOf(await fileOf())).toBe(0)
    await record(lending(1))
    const unsealed = await fileOf((entry) => ({ ...entry, seal: undefined }))
    expect(refusalOf(unsealed)).toBe(1)
  })

  it('understands a problem for a reason that only another version knows', async () => {
    await change(await record(lending(1)), {
      state: 'conflict',
      problem: { code: 409, reason: 'NEWER' as 'RESERVED', message: 'Non.', facts: null },
    })
    expect(readQueue(await fileOf(), biblio)[0]).toMatchObject({ problem: { reason: null, message: 'Non.' } })
  })
})
