import { randomBytes, randomUUID } from 'node:crypto'

import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, onTestFinished } from 'vitest'

import type {
  SnapshotBeneficiary,
  SnapshotCopy,
  SnapshotLoan,
  SnapshotPage,
  SnapshotReservation,
} from '../../src/contract/snapshot.ts'
import { deviceId, type DeviceMeta, readMeta, writeMeta } from '../../src/offline/device-meta.ts'
import { closeStore, transact } from '../../src/offline/device-store.ts'
import type { DrainOptions } from '../../src/offline/drain.ts'
import type { Actor, Entry, NewAction } from '../../src/offline/entry.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { type OutboxNews, watchOutbox } from '../../src/offline/outbox-news.ts'
import { rememberSeal } from '../../src/offline/seal.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { currentSession, rememberSession } from '../../src/offline/session-mirror.ts'
import { refreshSnapshot } from '../../src/offline/snapshot.ts'
import type { Client } from '../support/test-server.ts'

/** Gives each test a device of its own: an empty store. */
export function freshDevice(): void {
  beforeEach(() => {
    // A file before in this worker may have left the module with a store of its own.
    void closeStore()
    globalThis.indexedDB = new IDBFactory()
  })
  afterEach(closeStore)
}

/** Closes the store without emptying it, as a page that is loaded again does. */
export const reloadPage = closeStore

export const biblio = { environment_id: 1, site: 1, user_id: 2, username: 'biblio' }
export const benevole = { environment_id: 1, site: 1, user_id: 3, username: 'benevole' }

export const actorOf = async (person: Omit<Actor, 'device_id'>): Promise<Actor> => ({
  ...person,
  device_id: await deviceId(),
})

type Person = Omit<Actor, 'device_id'>

/** Signs in where no server checks what is sealed. */
export async function signIn(person: Person = biblio, token = 'jeton'): Promise<void> {
  await rememberSession({ ...person, token })
  const key = randomBytes(32).toString('base64url')
  await rememberSeal({ id: randomUUID(), key }, { ...person, token })
}

/** Asked for once by each session, whichever device of the tests it is used on. */
const seals = new Map<string, { id: string; key: string }>()

/** Signs in with a session of the server's, and the key that it gives. */
export async function signInWith(client: Client, person: Person): Promise<void> {
  const token = client.token ?? ''
  await rememberSession({ ...person, token })
  const seal = seals.get(token) ?? (await client.post('/api/seals')).body
  seals.set(token, seal)
  await rememberSeal(seal, { ...person, token })
}

type Named = Partial<Pick<NewAction, 'depends_on' | 'body'>>

/** The action of lending the test library's copy n (bar code 1000 + n). */
export const lending = (
  n: number,
  beneficiary = 1,
  { body = {}, depends_on = null }: Named = {},
): NewAction => ({
  endpoint: 'loanings.lend',
  params: {},
  body: { copy: n, beneficiary, ...body },
  copy_id: n,
  bar_code: String(1000 + n),
  beneficiary_id: beneficiary,
  depends_on,
  label: { kind: 'lend', title: `Livre numéro ${n}`, beneficiary: null, due: '2026-03-31' },
})

/** The action of returning it; with `loan`, that very loan of the outbox. */
export const returning = (n: number, loan: Pick<Entry, 'id'> | null = null): NewAction => ({
  endpoint: 'loanings.return_copy',
  params: {},
  body: { bar_code: String(1000 + n), ...(loan ? { loan_key: loan.id } : {}) },
  copy_id: n,
  bar_code: String(1000 + n),
  beneficiary_id: null,
  depends_on: loan?.id ?? null,
  label: { kind: 'return', title: `Livre numéro ${n}`, beneficiary: null, due: null },
})

export const record = async (action: NewAction, person = biblio, now?: Date): Promise<Entry> =>
  recordAction(action, await actorOf(person), now)

export type Sent = { path: string; key: string; body: Record<string, unknown>; headers: Headers }

/** A server that answers as the test says and remembers its calls; `/health` is well by default. */
export function scriptedServer(
  answer: (sent: Sent, nth: number) => Response | Promise<Response>,
  health = 200,
) {
  const sent: Sent[] = []
  const fetch: DeviceFetch = async (path, init) => {
    if (path === '/health') return json({ status: health === 200 ? 'ok' : 'no' }, health)
    const headers = new Headers(init.headers)
    const call = {
      path,
      key: headers.get('idempotency-key') ?? '',
      body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') as Record<string, unknown>,
      headers,
    }
    sent.push(call)
    return answer(call, sent.length)
  }
  return { fetch, sent }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
  })

export const loaned = (id = 1): Response =>
  json({ '@type': 'Loaning', '@id': `/api/loanings/${id}`, id, end_date: '2026-03-31' }, 201)

export const refusal = (status: number, reason?: string, headers?: Record<string, string>): Response =>
  json({ code: status, message: `Refus ${status}.`, ...(reason ? { reason } : {}) }, status, headers)

/** A clock that stands still, and a back-off without chance: each wait is the longest of its step. */
export function stillClock(start = Date.parse('2026-03-10T09:00:00Z')) {
  const clock = { at: start, now: () => clock.at, random: () => 1 }
  return clock
}

export const settingsOf = (fetch: DeviceFetch, clock = stillClock()): DrainOptions => ({
  fetch,
  now: clock.now,
  random: clock.random,
})

/** Id of the loan that the server answered. */
export function receiptId(entry: Entry | null | undefined): number {
  const receipt = entry?.receipt as { id: number } | null | undefined
  if (!receipt) throw new Error('the entry has no receipt')
  return receipt.id
}

/** What the device keeps under that key beside its queue. */
export const metaOf = <K extends keyof DeviceMeta>(key: K): Promise<DeviceMeta[K] | null> =>
  transact(['meta'], 'readonly', (tx) => readMeta(tx.store, key))
export const keepMeta = <K extends keyof DeviceMeta>(key: K, value: DeviceMeta[K]): Promise<void> =>
  transact(['meta'], 'readwrite', (tx) => writeMeta(tx.store, key, value))

/** Puts an entry in a state that its own way there would take long to reach. */
export async function change<E extends Entry>(entry: E, changes: Partial<Entry>): Promise<E> {
  const changed = { ...entry, ...changes }
  await transact(['outbox'], 'readwrite', (tx) => tx.store.put(changed))
  return changed
}

/** All that is told of the outbox until the test ends. */
export function outboxNews(): OutboxNews[] {
  const heard: OutboxNews[] = []
  onTestFinished(watchOutbox((news) => heard.push(news)))
  return heard
}

export const copyRow = (n: number, changes: Partial<SnapshotCopy> = {}): SnapshotCopy => ({
  id: n,
  bar_code: String(1000 + n),
  name: `Livre numéro ${n}`,
  reference: n,
  medium: 1,
  status: 'Disponible',
  state: 'GOOD',
  site: 1,
  price: '1.00',
  type: 'Location',
  cycle_type: null,
  cycle_value: null,
  deleted: false,
  ...changes,
})

export const readerRow = (n: number, changes: Partial<SnapshotBeneficiary> = {}): SnapshotBeneficiary => ({
  id: n,
  matricule: `M${n}`,
  lastname: 'Martin',
  firstname: 'Alice',
  reader_id: `R${n}`,
  contract_type: null,
  beneficiary_status: null,
  dossiers: [],
  agency_id: 1,
  exit_date: null,
  message: '',
  relatives: [],
  deleted: false,
  ...changes,
})

/** The loan of copy n to reader 1, which has the copy's number unless `changes` say otherwise. */
export const loanRow = (n: number, changes: Partial<SnapshotLoan> = {}): SnapshotLoan => ({
  id: n,
  loan_key: null,
  beneficiary: 1,
  relative: null,
  copy: n,
  copy_barcode: String(1000 + n),
  reference: n,
  reference_name: `Livre numéro ${n}`,
  medium: 1,
  site: 1,
  start_date: '2026-02-17',
  end_date: '2026-03-10',
  duration_value: 3,
  duration_type: 'WEEK',
  closed: false,
  ...changes,
})

export const reservationRow = (
  n: number,
  changes: Partial<SnapshotReservation> = {},
): SnapshotReservation => ({
  id: n,
  beneficiary_id: 1,
  beneficiary_info: 'M1 - Martin Alice',
  reference_id: 1,
  copy_id: null,
  set_aside_copy: null,
  start_date: null,
  end_date: null,
  queue_position: n,
  closed: false,
  ...changes,
})

/** A page of the snapshot, the only one unless `changes` say otherwise. */
export const pageOf = (changes: Partial<SnapshotPage> = {}): SnapshotPage => ({
  cursor: 'c1',
  complete: true,
  reset: false,
  total: 0,
  server_time: '2026-03-10T09:00:00.000Z',
  copies: [],
  beneficiaries: [],
  loanings: [],
  reservations: [],
  ...changes,
})

/** Makes these rows all that the device knows, asked for when `clock` says. */
export async function loadSnapshot(rows: Partial<SnapshotPage>, clock = stillClock()): Promise<void> {
  if ((await currentSession()) === null) await signIn()
  await refreshSnapshot({ fetch: () => json(pageOf(rows)), site: 1, now: clock.now })
}
