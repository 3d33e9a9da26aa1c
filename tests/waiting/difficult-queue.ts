import { randomUUID } from 'node:crypto'

import { readerNumber } from '../../src/server/demonstration/library-numbers.ts'
import type { Api } from '../support/api-of.ts'

// Exported queues for a running demonstration, whose server refuses each action of the first for its own
// reason.

type Copy = {
  id: number
  bar_code: string
  name: string
  loaning: { beneficiary_info: string } | null
  reservations: unknown[]
}
type Reader = { id: number; matricule: string; lastname: string; firstname: string }
type Person = { user_id: number; username: string }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const membersOf = async <T>(api: Api, path: string): Promise<T[]> =>
  (await api.get(path)).body['hydra:member'] as T[]
const labelOf = ({ matricule, lastname, firstname }: Reader) => `${matricule} - ${lastname} ${firstname}`
const longestFirst = (copies: Copy[]) => copies.toSorted((one, other) => other.name.length - one.name.length)

/** Readers with and without membership, and copies that are out, in or set aside. */
async function knownThings(api: Api) {
  const [reader] = await membersOf<Reader>(api, `/api/beneficiaries?reader_id=${readerNumber(1)}`)
  const [busy] = await membersOf<Reader>(api, `/api/beneficiaries?reader_id=${readerNumber(2)}`)
  const [left] = await membersOf<Reader>(api, '/api/beneficiaries?is_active=0&limit=1')
  const out = longestFirst(await membersOf<Copy>(api, '/api/copies?status.name=En Location&limit=500'))
  const within = longestFirst(await membersOf<Copy>(api, '/api/copies?status.name=Disponible&limit=500'))
  const reservations = await membersOf<Copy>(
    api,
    '/api/copies?status.name=Disponible&limit=500&order[name]=asc',
  )
  const reserved = [...within, ...reservations].find((copy) => copy.reservations.length > 0) ?? null
  const free = within.filter((copy) => copy.reservations.length === 0)
  if (!reader || !busy || !left || out.length < 3 || free.length < 8)
    throw new Error('no fresh demonstration')
  return { reader, busy, left, out, free, reserved }
}

type Made = {
  by: Person
  agoMs: number
  copy: Pick<Copy, 'bar_code' | 'name'> & { id: number | null }
  /** The reader it is lent to; null is a return. */
  to: Reader | null
  more?: Record<string, unknown>
  body?: Record<string, unknown>
}

function entryOf({ by, agoMs, copy, to, more = {}, body: extra = {} }: Made, n: number) {
  const occurred_at = new Date(Date.now() - agoMs).toISOString()
  const device_id = '6f1c1f0e-0000-4000-8000-00000000000a'
  const body = to ? { copy: copy.id, beneficiary: to.id, ...extra } : { bar_code: copy.bar_code, ...extra }
  return {
    id: randomUUID(),
    v: 1,
    environment_id: 1,
    site: 1,
    ...by,
    device_id,
    device_seq: n + 1,
    endpoint: to ? 'loanings.lend' : 'loanings.return_copy',
    params: {},
    body,
    frozen_body: JSON.stringify({ ...body, occurred_at, device_id }),
    copy_id: copy.id,
    bar_code: copy.bar_code,
    beneficiary_id: to?.id ?? null,
    depends_on: null,
    resolves: null,
    adopted_by: null,
    label: {
      kind: to ? 'lend' : 'return',
      title: copy.name,
      beneficiary: to ? labelOf(to) : null,
      due: to ? new Date(Date.now() + 21 * dayMs).toISOString().slice(0, 10) : null,
    },
    occurred_at,
    clock_offset: null,
    state: 'queued',
    attempts: 0,
    faults: 0,
    problem: null,
    settled_at: null,
    decision: null,
    ...more,
  }
}

/** The queue of these actions, as a device exports it. */
export const fileOf = (made: Made[]) =>
  JSON.stringify({ format: 'comptoir-outbox', v: 1, entries: made.map(entryOf) })

/** One action of each refusal; `by` is who imports it. */
export async function refusedQueue(api: Api, by: Person): Promise<string> {
  const { reader, left, out, free, reserved } = await knownThings(api)
  const [first, , second] = out
  const [onShelf, forLeft, dated, forbidden, impossible] = free
  if (!first || !second || !onShelf || !forLeft || !dated || !forbidden || !impossible)
    throw new Error('no fresh demonstration')
  const unknown = { id: null, bar_code: '9782070368228', name: '9782070368228' }
  const problem = (code: number, reason: string, message: string) => ({
    state: code === 403 ? 'conflict' : 'quarantined',
    attempts: 1,
    problem: { code, reason, message, facts: null },
  })
  return fileOf([
    { by, agoMs: 50 * minuteMs, copy: first, to: reader },
    ...(reserved
      ? [{ by, agoMs: 45 * minuteMs, copy: reserved, to: reader, body: { despite_reservations: false } }]
      : []),
    { by, agoMs: 40 * minuteMs, copy: forLeft, to: left },
    { by, agoMs: 35 * minuteMs, copy: onShelf, to: null },
    { by, agoMs: 30 * minuteMs, copy: unknown, to: null },
    { by, agoMs: 25 * minuteMs, copy: dated, to: reader, more: { clock_offset: 3 * dayMs } },
    {
      by,
      agoMs: 20 * minuteMs,
      copy: forbidden,
      to: reader,
      more: problem(403, 'RIGHT_MISSING', 'Vous n’avez pas le droit de faire cela.'),
    },
    {
      by,
      agoMs: 15 * minuteMs,
      copy: impossible,
      to: reader,
      more: problem(
        0,
        'ENDPOINT_UNKNOWN',
        'Cette version de Comptoir ne connaît pas cette action. Rechargez la page, puis réessayez.',
      ),
    },
  ])
}

/** What waits since the morning for a network: two actions of the person's, one of another's. */
export async function oldQueue(api: Api, by: Person, other: Person): Promise<string> {
  const { reader, busy, out, free } = await knownThings(api)
  const [back] = out
  const [one, two] = free.slice(5)
  if (!back || !one || !two) throw new Error('no fresh demonstration')
  return fileOf([
    { by, agoMs: 5 * hourMs, copy: one, to: reader },
    { by, agoMs: 4 * hourMs, copy: back, to: null },
    { by: other, agoMs: 2 * hourMs, copy: two, to: busy },
  ])
}
