import { IDBFactory } from 'fake-indexeddb'
import { expect, it } from 'vitest'

import { actionToReturn, actionToVerify } from '../../src/offline/counter-actions.ts'
import { closeStore } from '../../src/offline/device-store.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { importEntries } from '../../src/offline/import-entries.ts'
import { getEntry } from '../../src/offline/outbox.ts'
import { biblio, record } from '../offline/device.ts'
import { describeServer } from '../support/test-server.ts'
import { at, conflictDesk } from './conflict-desk.ts'

describeServer('a loan by the codes that a device read', (server) => {
  const { signInAs, send, refused, settle, loansOf, reserve } = conflictDesk(server)

  const read = (beneficiary: string, copy: string) =>
    actionToVerify({ copy: { code: copy }, beneficiary: { code: beneficiary } })
  const alice = { id: 1, matricule: 'M1', lastname: 'Martin', firstname: 'Alice' }
  const book = (n: number) => ({ id: n, bar_code: String(1000 + n), name: `Livre numéro ${n}` })

  it('is made once the server has found both, with its return, and as of when it was done', async () => {
    const lend = await record(read('R2A', '1001'), biblio, at('08:00:00'))
    const loan = { loan_id: null, loan_key: lend.id, waiting: true, bar_code: '1001', title: '1001' }
    const back = actionToReturn({
      bar_code: '1001',
      copy: null,
      beneficiary: null,
      loan: {
        ...loan,
        copy_id: null,
        medium: null,
        site: 1,
        beneficiary_id: 0,
        start_date: '2026-03-10',
        end_date: '2026-03-10',
        late: false,
      },
    })
    const { id } = await record(back, biblio, at('08:30:00'))
    await send()
    expect(await getEntry(lend.id)).toMatchObject({
      state: 'done',
      receipt: { copy: 1, beneficiary: 2, end_date: '2026-03-31' },
    })
    expect(await getEntry(id)).toMatchObject({ state: 'done' })
    expect(await loansOf(1)).toMatchObject([
      { beneficiary: 2, status: 'finished', lent_at: at('08:00:00').toISOString() },
    ])
  })

  it('takes a known reader or a known copy beside the code of the other', async () => {
    await record(actionToVerify({ copy: book(2), beneficiary: { code: 'R2' } }), biblio, at('08:00:00'))
    await record(actionToVerify({ copy: { code: '1003' }, beneficiary: alice }), biblio, at('08:00:00'))
    await send()
    expect(await loansOf(2)).toMatchObject([{ beneficiary: 2 }])
    expect(await loansOf(3)).toMatchObject([{ beneficiary: 1 }])
  })

  it('is linked to a reader, then to a copy, one refusal after the other', async () => {
    const unknown = await refused(read('R99', '9999'), 'READER_UNKNOWN')
    const mistyped = await settle(unknown, 'LINK_READER', { beneficiary_code: 'R98' })
    expect(mistyped).toMatchObject({ state: 'conflict', problem: { reason: 'READER_UNKNOWN' } })
    const linked = await settle(mistyped, 'LINK_READER', { beneficiary_code: 'R2A' })
    expect(linked).toMatchObject({
      state: 'conflict',
      problem: { reason: 'COPY_UNKNOWN' },
      label: { title: '9999', beneficiary: 'la carte R2A' },
    })
    expect(await settle(linked, 'LINK_LEND', { bar_code: '1004' })).toMatchObject({
      state: 'done',
      receipt: { resolves: unknown.id, loaning: { beneficiary: 2 } },
    })
    expect(await loansOf(4)).toMatchObject([
      { beneficiary: 2, status: 'in_progress', lent_at: at('08:00:00').toISOString() },
    ])
  })

  it('asks which reader is meant', async () => {
    const unknown = await refused(read('R99', '1005'), 'READER_UNKNOWN')
    expect(await settle(unknown, 'LINK_READER')).toMatchObject({
      state: 'conflict',
      problem: { code: 422, facts: { violations: [{ propertyPath: 'beneficiary_code' }] } },
    })
    expect(await loansOf(5)).toHaveLength(0)
  })

  it('is noted as not handed over', async () => {
    expect(
      await settle(await refused(read('R99', '1005'), 'READER_UNKNOWN'), 'NOT_HANDED_OVER'),
    ).toMatchObject({ state: 'done', receipt: { is_first: true } })
    expect(await loansOf(5)).toHaveLength(0)
  })

  it('is put before a person where a rule or a reservation is against it', async () => {
    const late = await refused(read('R3', '1005'), 'NOT_ELIGIBLE')
    await settle(late, 'RECALL')
    expect(await loansOf(5)).toMatchObject([{ beneficiary: 3, end_date: '2026-03-10' }])
    await reserve(6, 2)
    await settle(await refused(read('R4', '1006'), 'RESERVED'), 'LEND_DESPITE_RESERVATION')
    expect(await loansOf(6)).toMatchObject([{ beneficiary: 4 }])
  })

  it('closes the loan of whoever had the copy', async () => {
    await record(actionToVerify({ copy: book(7), beneficiary: alice }), biblio, at('07:00:00'))
    const lend = await refused(read('R2', '1007'), 'ALREADY_LENT')
    await settle(lend, 'CLOSE_AND_LEND')
    expect(await loansOf(7)).toMatchObject([
      { beneficiary: 1, status: 'finished' },
      { beneficiary: 2, status: 'in_progress' },
    ])
  })

  it('is done once by whoever imports the queue as well', async () => {
    const { id } = await record(read('R2', '1008'), biblio, at('08:00:00'))
    const file = await exportEntries()
    await send()
    await closeStore()
    globalThis.indexedDB = new IDBFactory()
    await signInAs(biblio)
    expect(await importEntries(file, biblio)).toEqual({ added: 1, known: 0 })
    await send()
    expect(await getEntry(id)).toMatchObject({ state: 'done', receipt: { beneficiary: 2, copy: 8 } })
    expect(await loansOf(8)).toHaveLength(1)
  })
})
