import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { transact } from '../../src/offline/device-store.ts'
import { drain } from '../../src/offline/drain.ts'
import { listEntries } from '../../src/offline/outbox.ts'
import type { Entry, EntryState } from '../../src/offline/entry.ts'
import {
  didNothing,
  hasMade,
  isLend,
  isReturn,
  overlayOf,
  readOverlay,
  readOverlayOn,
  receiptOf,
} from '../../src/offline/overlay.ts'
import { settleEntry } from '../../src/offline/settle-entry.ts'
import {
  actorOf,
  biblio,
  change,
  freshDevice,
  json,
  lending,
  record,
  refusal,
  returning,
  scriptedServer,
  settingsOf,
  signIn,
} from './device.ts'

freshDevice()

const settlement = (loaning: object | null) =>
  json({ '@type': 'Settlement', '@id': '/api/conflicts/7', id: 7, loaning })

it.each([
  ['made', settlement({ id: 12, end_date: '2026-03-31' }), 1],
  ['did not make, because it was settled elsewhere', settlement(null), 0],
  ['has, and tells nothing of', refusal(409, 'ALREADY_RECORDED'), 1],
])('readOverlay lends a copy by a choice whose loan the server %s', async (_, answer, lends) => {
  await signIn()
  const { id } = await record(lending(1))
  const { fetch } = scriptedServer((_sent, nth) => (nth === 1 ? refusal(409, 'ALREADY_LENT') : answer))
  await drain(settingsOf(fetch))
  await settleEntry(id, { choice: 'CLOSE_AND_LEND' }, await actorOf(biblio))
  await drain(settingsOf(fetch))
  const overlay = overlayOf(await listEntries())
  expect(overlay.lends).toHaveLength(lends)
  expect(overlay.lastOn({ copy_id: 1, bar_code: '1001' }) !== null).toBe(lends === 1)
})

const entry = (changes: Partial<Entry>): Entry =>
  ({
    id: 'a',
    seq: 1,
    place: null,
    endpoint: 'loanings.lend',
    state: 'queued',
    copy_id: 1,
    bar_code: '1001',
    receipt: null,
    label: { kind: 'lend' },
    ...changes,
  }) as Entry
const back = { label: { kind: 'return' } } as Partial<Entry>
const first = { copy_id: 1, bar_code: '1001' }

describe('overlayOf', () => {
  it.each<[EntryState, boolean]>([
    ['queued', true],
    ['sending', true],
    ['waiting', true],
    ['done', true],
    ['conflict', false],
    ['quarantined', false],
    ['set_aside', false],
  ])('counts what is %s: %s', (state, counted) => {
    const one = entry({ state })
    expect(overlayOf([one]).lastOn(first)).toBe(counted ? one : null)
    expect(overlayOf([one]).lends).toEqual(counted ? [one] : [])
  })

  it('finds the last action on a copy by either of its names, in the order of the device', () => {
    const lent = entry({ id: 'a', seq: 2 })
    const returned = entry({ id: 'b', seq: 1, place: 3, copy_id: null, ...back })
    const overlay = overlayOf([returned, lent])
    expect(overlay.lastOn({ copy_id: 1, bar_code: null })).toBe(lent)
    expect(overlay.lastOn({ copy_id: null, bar_code: '1001' })).toBe(returned)
    expect(overlay.lastOn(first)).toBe(returned)
    expect(overlay.lastOn({ copy_id: 2, bar_code: '1002' })).toBeNull()
    expect(overlay.lends).toEqual([lent])
  })

  it('passes over what changes no loan', () => {
    const note = entry({ seq: 2, label: { kind: 'note' } as Entry['label'] })
    const lent = entry({ id: 'b' })
    expect(overlayOf([lent, note]).lastOn(first)).toBe(lent)
  })
})

it('isLend and isReturn go by what the action says it is', () => {
  const kinds = ['lend', 'return', 'cancel', 'undo', 'note'] as const
  const of = (kind: (typeof kinds)[number]) => entry({ label: { kind } as Entry['label'] })
  expect(kinds.filter((kind) => isLend(of(kind)))).toEqual(['lend'])
  expect(kinds.filter((kind) => isReturn(of(kind)))).toEqual(['return'])
})

describe('receiptOf', () => {
  it.each<[string, unknown, number | null]>([
    ['a loan', { id: 12 }, 12],
    ['a choice that made one', { id: 7, loaning: { id: 12 } }, 12],
    ['a choice that made none', { id: 7, loaning: null }, null],
    ['a choice whose loan is told by its copy alone', { id: 7, loaning: { copy: 1 } }, null],
    ['a number of another form', { id: '12' }, null],
    ['nothing', null, null],
    ['a word', 'fait', null],
    ['a word for a loan', { loaning: 'fait' }, null],
  ])('of %s', (_, receipt, id) => {
    expect(receiptOf(entry({ state: 'done', receipt }))?.id ?? null).toBe(id)
  })

  it('is none before the action is done', () => {
    expect(receiptOf(entry({ state: 'sending', receipt: { id: 12 } }))).toBeNull()
  })
})

it.each<[string, Partial<Entry>, boolean]>([
  ['made no loan', { receipt: { id: 7, loaning: null } }, true],
  ['made a loan', { receipt: { id: 7, loaning: { id: 12 } } }, false],
  ['tells nothing', { receipt: null }, false],
  ['is not done', { receipt: { id: 7, loaning: null }, state: 'queued' }, false],
  ['is no choice', { receipt: { '@type': 'x' }, endpoint: 'loanings.lend' }, false],
])('didNothing, of a choice that %s', (_, changes, is) => {
  expect(didNothing(entry({ endpoint: 'conflicts.settle', state: 'done', ...changes }))).toBe(is)
})

it.each<[string, Partial<Entry>, { id: number | null; loan_key: string | null }, boolean]>([
  ['of its number', { receipt: { id: 12 } }, { id: 12, loan_key: null }, true],
  ['of its key', { receipt: null }, { id: 12, loan_key: 'a' }, true],
  ['of another', { receipt: { id: 12 } }, { id: 13, loan_key: 'b' }, false],
  ['before it is done', { receipt: { id: 12 }, state: 'sending' }, { id: 12, loan_key: 'a' }, false],
])('hasMade knows the loan %s', (_, changes, row, is) => {
  expect(hasMade(entry({ state: 'done', ...changes }), row)).toBe(is)
})

it('readOverlay reads what waits, and what was settled since the snapshot', async () => {
  const asked_at = '2026-03-10T09:00:00.000Z'
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => record(lending(n))))
  const [queued, sending, waiting, before, since, refused] = made as [
    Entry,
    Entry,
    Entry,
    Entry,
    Entry,
    Entry,
  ]
  await change(sending, { state: 'sending' })
  await change(waiting, { state: 'waiting' })
  await change(before, { state: 'done', settled_at: '2026-03-10T08:59:59.999Z' })
  await change(since, { state: 'done', settled_at: asked_at })
  await change(refused, { state: 'conflict' })
  await record(returning(1))
  const overlay = await transact(['outbox'], 'readonly', (tx) => readOverlay(tx, asked_at))
  expect(overlay.lends.map(({ id }) => id)).toEqual([queued, sending, waiting, since].map(({ id }) => id))
  expect(overlay.lastOn(first)?.label.kind).toBe('return')
})

describe('readOverlayOn', () => {
  const asked_at = '2026-03-10T09:00:00.000Z'
  const [earlier, later] = ['2026-03-10T08:59:59.999Z', '2026-03-10T09:00:00.001Z']
  const copies = [1, 2, 3].map((n) => ({ copy_id: n, bar_code: `100${n}` }))

  const actions = fc.array(
    fc.record({
      copy: fc.constantFrom(...copies),
      known: fc.constantFrom('id', 'code', 'both'),
      beneficiary_id: fc.constantFrom(1, 2, null),
      kind: fc.constantFrom('lend', 'return', 'note'),
      state: fc.constantFrom<EntryState>('queued', 'sending', 'waiting', 'done', 'conflict', 'set_aside'),
      settled_at: fc.constantFrom(earlier, asked_at, later),
    }),
    { maxLength: 12 },
  )

  it('says of a copy and of a reader what the whole outbox says, whatever was done', async () => {
    await fc.assert(
      fc.asyncProperty(actions, async (done) => {
        const entries = done.map(({ copy, known, kind, state, settled_at, beneficiary_id }, at) =>
          entry({
            id: String(at),
            seq: at + 1,
            copy_id: known === 'code' ? null : copy.copy_id,
            bar_code: known === 'id' ? null : copy.bar_code,
            beneficiary_id,
            label: { kind } as Entry['label'],
            state,
            settled_at: state === 'done' || state === 'set_aside' ? settled_at : null,
          }),
        )
        const tx = { objectStore: () => ({ index: (name: keyof Entry) => indexOf(entries, name) }) }
        const whole = await readOverlay(tx, asked_at)
        for (const copy of copies)
          expect((await readOverlayOn(tx, asked_at, [copy])).lastOn(copy)).toBe(whole.lastOn(copy))
        for (const reader of [1, 2]) {
          const theirs = (overlay: typeof whole) =>
            overlay.lends.filter((lent) => lent.beneficiary_id === reader && overlay.lastOn(lent) === lent)
          expect(theirs(await readOverlayOn(tx, asked_at, [], reader))).toEqual(theirs(whole))
        }
      }),
    )
  })

  const indexOf = (entries: readonly Entry[], name: keyof Entry) => ({
    getAll: (query: string | number | IDBKeyRange) =>
      Promise.resolve(
        entries.filter((one) => {
          const key = one[name]
          if (typeof query !== 'object') return key === query
          return typeof key === 'string' && query.includes(key)
        }),
      ),
    count: (query: number) => Promise.resolve(entries.filter((one) => one[name] === query).length),
  })

  it('reads the store alike, and what waits alone where there is no snapshot', async () => {
    const [waiting, made] = [await record(lending(1)), await record(lending(2))]
    await change(made, { state: 'done', settled_at: later })
    const read = (of: string | null, n: number) =>
      transact(['outbox'], 'readonly', async (tx) => {
        const keys = { copy_id: n, bar_code: `100${n}` }
        return (await readOverlayOn(tx, of, [keys])).lastOn(keys)?.id ?? null
      })
    expect([await read(asked_at, 1), await read(asked_at, 2)]).toEqual([waiting.id, made.id])
    expect([await read(null, 1), await read(null, 2)]).toEqual([waiting.id, null])
  })

  it.each([
    [400, 0],
    [0, 300],
  ])('reads the whole at once for a reader who has very many loans (%i and %i here)', async (known, own) => {
    const asked: string[] = []
    const read: string[] = []
    const tx = {
      objectStore: () => ({
        index: (name: string) => {
          asked.push(name)
          return {
            getAll: () => {
              read.push(name)
              return Promise.resolve([])
            },
            count: () => Promise.resolve(own),
          }
        },
      }),
    }
    await readOverlayOn(
      tx,
      asked_at,
      Array.from({ length: known }, (_, n) => ({ copy_id: n, bar_code: `${n}` })),
      1,
    )
    expect(asked).toEqual(['beneficiary_id', 'state', 'state', 'state', 'settled_at'])
    expect(read).not.toContain('beneficiary_id')
  })
})
