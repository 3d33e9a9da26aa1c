import { randomUUID } from 'node:crypto'

type Reader = { id: number; matricule: string; lastname: string; firstname: string }
type Person = { user_id: number; username: string }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const labelOf = ({ matricule, lastname, firstname }: Reader) => `${matricule} - ${lastname} ${firstname}`

type Made = {
  by: Person
  agoMs: number
  copy: { id: number | null; bar_code: string; name: string }
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
