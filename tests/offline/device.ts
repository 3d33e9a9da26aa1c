import { randomBytes, randomUUID } from 'node:crypto'

import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach } from 'vitest'

import { deviceId } from '../../src/offline/device-meta.ts'
import { closeStore } from '../../src/offline/device-store.ts'
import type { DrainOptions } from '../../src/offline/drain.ts'
import type { Actor, Entry, NewAction } from '../../src/offline/entry.ts'
import { recordAction } from '../../src/offline/outbox.ts'
import { rememberSeal } from '../../src/offline/seal.ts'
import type { DeviceFetch } from '../../src/offline/send-entry.ts'
import { rememberSession } from '../../src/offline/session-mirror.ts'
import type { Client } from '../support/test-server.ts'

/** Gives each test a device of its own: an empty store. */
export function freshDevice(): void {
  beforeEach(() => {
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
