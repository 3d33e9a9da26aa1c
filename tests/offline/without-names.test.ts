import { IDBObjectStore } from 'fake-indexeddb'
import { describe, expect, it, vi } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import type { Entry, EntryState, NewAction } from '../../src/offline/entry.ts'
import { importEntries } from '../../src/offline/import-entries.ts'
import { loanOfEntry } from '../../src/offline/open-loans.ts'
import { exportEntries } from '../../src/offline/export-entries.ts'
import { getEntry, listEntries } from '../../src/offline/outbox.ts'
import { dropEntry, retryEntry } from '../../src/offline/outbox-decisions.ts'
import { overlayOf } from '../../src/offline/overlay.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import { forgetSettledNames, withoutNames } from '../../src/offline/without-names.ts'
import {
  actorOf,
  biblio,
  change,
  freshDevice,
  json,
  lending,
  metaOf,
  record,
  refusal,
  returning,
  scriptedServer,
  settingsOf,
  signIn,
} from './device.ts'

freshDevice()

/** A loan to somebody, with all that people write about them. */
const lendingToAlice = (n: number): NewAction => {
  const action = lending(n, 1, {
    body: {
      comment: 'Pour Alice Martin',
      override_reason: 'Alice a promis',
      free_reason: 3,
      start_date: '2026-03-09',
    },
  })
  return { ...action, label: { ...action.label, beneficiary: 'M1 - Martin Alice' } }
}

const returningFromAlice = (n: number): NewAction => {
  const action = returning(n)
  return {
    ...action,
    body: { ...action.body, state: 'UNUSABLE', return_comment: 'Alice l’a mouillé' },
    label: { ...action.label, beneficiary: 'M1 - Martin Alice' },
  }
}

const answered = (more: object = {}) =>
  json(
    {
      '@type': 'Loaning',
      '@id': '/api/loanings/12',
      id: 12,
      beneficiary: 1,
      beneficiary_info: 'M1 - Martin Alice',
      relative: { id: 4, name: 'Martin Léo' },
      comment: 'Pour Alice Martin',
      end_date: '2026-03-30',
      penalty: { total: '1.50' },
      ...more,
    },
    201,
  )

const awaited = {
  id: 3,
  beneficiary_info: 'M1 - Martin Alice',
  beneficiary_name: 'Alice Martin (M1)',
  site: { id: 2, name: 'Annexe' },
  start_date: null,
  is_set_aside: false,
}

const names = /Alice|Martin|Léo/
const onTheDisk = async () => JSON.stringify(await listEntries())

describe('what is done', () => {
  it('keeps no reader’s name, and all that undoing, the loans of the counter and the next screen need', async () => {
    await signIn()
    const lent = await record(lendingToAlice(1))
    const taken = await record(returningFromAlice(2))
    await drain(
      settingsOf(scriptedServer(() => answered({ reservation_reference: 7, awaited_by: awaited })).fetch),
    )
    expect(await onTheDisk()).not.toMatch(names)

    const done = (await getEntry(lent.id)) as Entry
    expect(done).toMatchObject({
      state: 'done',
      beneficiary_id: 1,
      copy_id: 1,
      bar_code: '1001',
      username: 'biblio',
      label: { kind: 'lend', title: 'Livre numéro 1', beneficiary: null, due: '2026-03-31' },
      receipt: {
        id: 12,
        end_date: '2026-03-30',
        penalty: { total: '1.50' },
        reservation_reference: 7,
        awaited_by: { id: 3, site: { id: 2, name: 'Annexe' }, start_date: null, is_set_aside: false },
      },
    })
    expect(overlayOf([done]).lastOn(done)).toBe(done)
    expect(loanOfEntry(done, { day: '2026-03-10', zone: 'Europe/Paris', medium: null })).toMatchObject({
      loan_id: 12,
      beneficiary_id: 1,
      start_date: '2026-03-09',
      end_date: '2026-03-30',
    })
    // What the copy became is known until the next snapshot.
    expect((await getEntry(taken.id))?.body).toMatchObject({ bar_code: '1002', state: 'UNUSABLE' })
  })

  it('keeps none of the choice that settled a conflict either', async () => {
    await signIn()
    const lent = await record(lendingToAlice(1))
    const server = scriptedServer((_, nth) =>
      nth === 1
        ? json(
            {
              code: 409,
              message: 'Déjà prêté à Martin Léo.',
              reason: 'NOT_ELIGIBLE',
              facts: { loaning: { id: 3, beneficiary_info: 'M4 - Martin Léo' } },
            },
            409,
          )
        : json({
            '@type': 'Settlement',
            '@id': '/api/conflicts/1',
            id: 1,
            resolves: lent.id,
            choice: 'OVERRIDE',
            settled_by: 'admin',
            settled_at: '2026-03-10T09:00:00.000Z',
            is_first: false,
            loaning: {
              '@type': 'Loaning',
              '@id': '/api/loanings/9',
              id: 9,
              beneficiary_info: 'M1 - Martin Alice',
            },
          }),
    )
    await drain(settingsOf(server.fetch))
    // Until it is settled a person has to know whom it is about.
    expect(await onTheDisk()).toMatch(names)
    await settleEntry(lent.id, { choice: 'OVERRIDE', motive: 'Elle est venue' }, await actorOf(biblio))
    await drain(settingsOf(server.fetch))
    expect(server.sent[1]?.body).toMatchObject({
      action: { body: { comment: 'Pour Alice Martin' } },
    })
    expect(await onTheDisk()).not.toMatch(names)
    const settled = (await listEntries()).at(-1) as Entry
    expect(settled.receipt).toMatchObject({ settled_by: 'admin', is_first: false, loaning: { id: 9 } })
    expect(loanOfEntry(settled, { day: '2026-03-10', zone: 'Europe/Paris', medium: null })).toMatchObject({
      loan_id: 9,
      start_date: '2026-03-09',
    })
  })

  it('stays done when an answer to the same action comes twice', async () => {
    await signIn()
    const lent = await record(lendingToAlice(1))
    const both = scriptedServer(() => answered())
    const unlocked = async <T>(_: string, work: (keep: () => Promise<void>) => Promise<T>) =>
      work(() => Promise.resolve())
    await Promise.all([1, 2].map(() => drain({ ...settingsOf(both.fetch), lock: unlocked })))
    expect(await getEntry(lent.id)).toMatchObject({ state: 'done', receipt: { id: 12 } })
    expect(both.sent.every(({ body }) => body['comment'] === 'Pour Alice Martin')).toBe(true)
    expect(await onTheDisk()).not.toMatch(names)
  })

  it('of a receipt that tells nothing keeps that it tells nothing', async () => {
    await signIn()
    const lent = await record(lendingToAlice(1))
    await drain(settingsOf(scriptedServer(() => answered()).fetch))
    await transact(['outbox'], 'readwrite', async (tx) => {
      await tx.store.put({ ...((await getEntryIn(tx)) as Entry), receipt: null, label: { ...lent.label } })
    })
    await signIn(biblio, 'jeton-neuf')
    await drain(settingsOf(scriptedServer(() => answered()).fetch))
    expect((await getEntry(lent.id))?.receipt).toBeNull()
  })
})

const getEntryIn = async (tx: { store: { getAll(): Promise<Entry[]> } }) => (await tx.store.getAll())[0]

describe('what is set aside', () => {
  it('keeps no name, and the new try that takes its place keeps it until it is done', async () => {
    await signIn()
    const first = await record(lendingToAlice(1))
    const other = await record(lendingToAlice(2))
    const server = scriptedServer((_, nth) =>
      nth < 3
        ? json(
            { code: 409, message: 'Prêté à Martin Léo.', facts: { loaning: { beneficiary_info: 'Martin' } } },
            409,
          )
        : answered(),
    )
    await drain(settingsOf(server.fetch))
    await dropEntry(other.id, 'biblio', 'Resté au comptoir')
    expect(JSON.stringify(await getEntry(other.id))).not.toMatch(names)
    expect((await getEntry(other.id))?.decision).toMatchObject({ reason: 'Resté au comptoir' })

    const again = await retryEntry(first.id, { username: 'biblio' })
    expect(JSON.stringify(await getEntry(first.id))).not.toMatch(names)
    expect(again).toMatchObject({
      label: { beneficiary: 'M1 - Martin Alice' },
      body: { comment: 'Pour Alice Martin' },
    })
    await drain(settingsOf(server.fetch))
    expect(server.sent.at(-1)?.body).toMatchObject({ comment: 'Pour Alice Martin' })
    expect(await onTheDisk()).not.toMatch(names)
  })
})

describe('withoutNames', () => {
  const bare = async (changes: Partial<Entry>) => withoutNames({ ...(await record(lending(1))), ...changes })

  it('leaves of a problem what is for programs, and none where there was none', async () => {
    const facts = { loaning: { id: 3 } }
    const problem = { code: 409, reason: 'ALREADY_LENT', message: 'À Alice.', facts } as const
    expect((await bare({ problem })).problem).toEqual({ ...problem, message: '', facts: null })
    expect((await bare({ problem: null })).problem).toBeNull()
  })

  it.each<[string, unknown, unknown]>([
    ['a word', 'Alice', null],
    ['none', null, null],
    ['a loan', { id: 12, comment: 'Alice' }, { id: 12 }],
    ['nobody who waits', { id: 12, awaited_by: null }, { id: 12, awaited_by: {} }],
    ['a choice without a loan', { id: 7, loaning: null }, { id: 7, loaning: null }],
    ['a choice with one', { id: 7, loaning: { id: 12, comment: 'Alice' } }, { id: 7, loaning: { id: 12 } }],
  ])('keeps of a receipt that is %s its numbers', async (_, receipt, kept) => {
    expect((await bare({ receipt })).receipt).toEqual(kept)
  })

  it('keeps the codes by which the server found both', async () => {
    const body = { copy_code: '31555', beneficiary_code: '21555', comment: 'Alice' }
    const { body: kept } = await bare({ body, frozen_body: JSON.stringify(body) })
    expect(kept).toEqual({ copy_code: '31555', beneficiary_code: '21555' })
  })

  it('keeps of a choice the action that it settles, without what people wrote', async () => {
    const body = {
      choice: 'OVERRIDE',
      motive: 'Alice',
      action: { endpoint: 'loanings.lend', title: 'Alice', body: { copy: 1, comment: 'Alice' } },
    }
    const { body: kept, frozen_body } = await bare({ body, frozen_body: JSON.stringify(body) })
    expect(kept).toEqual({
      choice: 'OVERRIDE',
      action: { endpoint: 'loanings.lend', body: { copy: 1 } },
    })
    expect(JSON.parse(frozen_body)).toEqual(kept)
    expect((await bare({ body: { action: 'Alice' } })).body).toEqual({})
    expect((await bare({ body: { action: { body: 'Alice' } } })).body).toEqual({ action: { body: {} } })
  })

  it.each(['Alice {', '"Alice"', 'null'])('keeps nothing of the body %s', async (frozen_body) => {
    expect((await bare({ frozen_body })).frozen_body).toBe('{}')
  })
})

describe('forgetSettledNames', () => {
  const settle = async (at: string, state: EntryState = 'done') =>
    change(await record(lendingToAlice(1)), { state, settled_at: `2026-03-10T${at}:00.000Z` })
  const hasName = async ({ id }: Entry) => names.test(JSON.stringify(await getEntry(id)))

  it('reads again nothing from before the last that it read, but for that very moment', async () => {
    await settle('08:00')
    await forgetSettledNames()
    expect(await metaOf('nameless_until')).toBe('2026-03-10T08:00:00.000Z')
    const [before, same, after] = [await settle('07:59'), await settle('08:00'), await settle('08:01')]
    await forgetSettledNames()
    expect(await Promise.all([before, same, after].map(hasName))).toEqual([true, false, false])
    expect(await metaOf('nameless_until')).toBe('2026-03-10T08:01:00.000Z')
  })

  it('sees what an older page settles at the moment of the last that it read', async () => {
    await settle('08:00')
    await forgetSettledNames()
    const same = await settle('08:00')
    await forgetSettledNames()
    expect(await hasName(same)).toBe(false)
  })

  it('writes nothing where nothing is settled, or nothing has a name any more', async () => {
    await forgetSettledNames()
    expect(await metaOf('nameless_until')).toBeNull()
    await settle('08:00')
    await forgetSettledNames()
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    await forgetSettledNames()
    expect(put).not.toHaveBeenCalled()
    put.mockRestore()
  })

  it('leaves what was settled once and is to be settled again', async () => {
    const again = await settle('08:00', 'conflict')
    await forgetSettledNames()
    expect(await hasName(again)).toBe(true)
  })
})

describe('what an older version left', () => {
  it('loses its names at the next drain, whoever is signed in, while what waits keeps them', async () => {
    await signIn()
    const done = await record(lendingToAlice(1))
    const waiting = await record(lendingToAlice(2))
    const spoilt = await record(lendingToAlice(3))
    const old = { state: 'done', settled_at: '2026-03-10T08:00:00.000Z' } as const
    await transact(['outbox'], 'readwrite', async (tx) => {
      await tx.store.put({ ...done, ...old, receipt: { id: 12, beneficiary_info: 'M1 - Martin Alice' } })
      await tx.store.put({ ...spoilt, ...old, frozen_body: 'Alice {' })
    })
    await drain(settingsOf(scriptedServer(() => refusal(503)).fetch))
    const found = await listEntries()
    expect(JSON.stringify(found.filter(({ id }) => id !== waiting.id))).not.toMatch(names)
    expect(found.find(({ id }) => id === waiting.id)).toMatchObject({
      label: { beneficiary: 'M1 - Martin Alice' },
      body: { comment: 'Pour Alice Martin' },
    })

    // An older page that is still open goes on writing as it did.
    await transact(['outbox'], 'readwrite', (tx) =>
      tx.store.put({ ...waiting, state: 'done', settled_at: '2026-03-10T09:00:30.000Z' }),
    )
    await drain(settingsOf(scriptedServer(() => refusal(503)).fetch))
    expect(await onTheDisk()).not.toMatch(names)
  })

  it('loses them when its queue is imported', async () => {
    await signIn()
    const aside = await record(lendingToAlice(1))
    await transact(['outbox'], 'readwrite', (tx) =>
      tx.store.put({
        ...aside,
        state: 'set_aside',
        settled_at: '2026-03-10T08:00:00.000Z',
        decision: { username: 'biblio', reason: 'Resté', at: '2026-03-10T08:00:00.000Z' },
      }),
    )
    const file = await exportEntries()
    await transact(['outbox'], 'readwrite', (tx) => tx.store.clear())
    await importEntries(file, biblio)
    expect(await onTheDisk()).not.toMatch(names)
  })
})
