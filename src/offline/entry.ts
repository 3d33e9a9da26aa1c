import type { RefusalFacts } from '../contract/refusals.ts'
import type { RefusalReason } from '../domain/refusal-reasons.ts'
import type { SettleChoice } from '../domain/settle-choice-codes.ts'
import type { EndpointName } from './waiting-endpoints.ts'

/**
 * An entry `waiting` is held back by another, a person settles a `conflict`, the server can never apply a
 * `quarantined` one, and somebody dropped or replaced one `set_aside`.
 */
export type EntryState = 'queued' | 'sending' | 'done' | 'waiting' | 'conflict' | 'quarantined' | 'set_aside'

/** `code` is the HTTP status, 0 when the device itself raised the problem. */
export type Problem = {
  code: number
  reason: RefusalReason | null
  message: string
  facts: RefusalFacts | null
}

export type Actor = {
  environment_id: number
  site: number
  user_id: number
  username: string
  device_id: string
}

export type NewAction = {
  endpoint: EndpointName
  params: Record<string, string>
  /** Without `occurred_at` and `device_id`, which the outbox adds. */
  body: Record<string, unknown>
  copy_id: number | null
  bar_code: string | null
  beneficiary_id: number | null
  /** Key of the entry that must be sent before this one, such as the loan that a return closes. */
  depends_on: string | null
  /** Key of the entry that this action settles or tries again. */
  resolves?: string | null
  label: ActionLabel
}

export type ActionLabel = {
  /** `note` changes no loan. */
  kind: 'lend' | 'return' | 'cancel' | 'undo' | 'note'
  choice?: SettleChoice
  title: string
  beneficiary: string | null
  /** For a loan, the expected return told to the reader. */
  due: string | null
}

export type Decision = { username: string; reason: string; at: string }

/** Fields are only ever added; `v` is the version of this shape. */
export type Entry = Omit<NewAction, 'resolves'> &
  Actor & {
    /** The store's own key, growing with every entry of this device. */
    seq: number
    /** A UUID, sent as Idempotency-Key. */
    id: string
    v: 1
    /** Counts this device's actions, so that a gap can be seen; a new try keeps its number. */
    device_seq: number
    /** `seq` whose place a new try takes; null for its own place. */
    place: number | null
    resolves: string | null
    /** Who took this entry over and sends it since. */
    adopted_by: { user_id: number; username: string; at: string } | null
    /** The body as sent, frozen because one key must never carry two bodies. */
    frozen_body: string
    occurred_at: string
    /** Made by the sender's session; without it the owner must confirm the entry first. */
    seal?: { id: string; mac: string } | null
    /** Milliseconds the device's clock was ahead of the server's when last measured. */
    clock_offset: number | null
    state: EntryState
    /** How often it was sent; at 0 the server cannot know of it. */
    attempts: number
    /** How often the server failed on it (5xx) while healthy. */
    faults: number
    next_try: number
    /** True when the server set that time (Retry-After). */
    is_told_to_wait?: boolean
    last_status: number | null
    problem: Problem | null
    /** Null also when it is done but the server may not show it (« Déjà enregistré »). */
    receipt: unknown
    settled_at: string | null
    decision: Decision | null
  }

export const unsent = {
  state: 'queued',
  attempts: 0,
  faults: 0,
  next_try: 0,
  last_status: null,
  problem: null,
  receipt: null,
  settled_at: null,
  decision: null,
} as const satisfies Partial<Entry>

export const unsettledStates = ['queued', 'sending', 'waiting', 'conflict', 'quarantined'] as const

/** A person settles it: the server refused it, or can never apply it. */
export const isRefused = <E extends Pick<Entry, 'state'>>(
  entry: E | null | undefined,
): entry is E & { state: 'conflict' | 'quarantined' } =>
  entry?.state === 'conflict' || entry?.state === 'quarantined'

export const isUnsettled = (entry: Pick<Entry, 'state'>): boolean =>
  entry.state !== 'done' && entry.state !== 'set_aside'

export const senderOf = (entry: Pick<Entry, 'environment_id' | 'user_id' | 'adopted_by'>): string =>
  personOf({ environment_id: entry.environment_id, user_id: entry.adopted_by?.user_id ?? entry.user_id })

export const personOf = ({ environment_id, user_id }: { environment_id: number; user_id: number }): string =>
  `${environment_id}/${user_id}`
