import type { RefusalFacts } from '../contract/refusals.ts'
import type { RefusalReason } from '../domain/refusal-reasons.ts'
import type { SettleChoice } from '../domain/settle-choices.ts'
import type { EndpointName } from './waiting-endpoints.ts'

/**
 * Where an action stands. `queued`: to be sent. `sending`: on its way (at start it becomes queued again, with the same key).
 * `done`: its stored answer was received. `waiting`: held back by another entry that is unsettled. `conflict`: the server refused
 * it for a reason that a person settles. `quarantined`: it can never be applied as it is. `set_aside`: a named person decided to
 * drop it, or it was tried again under another key.
 */
export type EntryState = 'queued' | 'sending' | 'done' | 'waiting' | 'conflict' | 'quarantined' | 'set_aside'

/** What the server said against an entry; `code` is the HTTP status, 0 when the device itself says it. */
export type Problem = {
  code: number
  reason: RefusalReason | null
  message: string
  facts: RefusalFacts | null
}

/** Who acts, where and from which device: an entry is sent with that person's token only. */
export type Actor = {
  environment_id: number
  site: number
  user_id: number
  username: string
  device_id: string
}

/** What the person did, before the outbox dates and numbers it. */
export type NewAction = {
  endpoint: EndpointName
  /** Parameters of the address, e.g. `{ id: '12' }`. */
  params: Record<string, string>
  /** Without `occurred_at` and `device_id`: the outbox adds them. */
  body: Record<string, unknown>
  copy_id: number | null
  bar_code: string | null
  beneficiary_id: number | null
  /** Key of the entry that this one must follow (a return of a loan still in the outbox). */
  depends_on: string | null
  /** Key of the entry that this action settles: the choice made before a conflict, or a new try of it. */
  resolves?: string | null
  /** What the line shows, so that a waiting action can be read without any snapshot. */
  label: ActionLabel
}

export type ActionLabel = {
  /** What it does to the copy; `note` changes no loan. */
  kind: 'lend' | 'return' | 'cancel' | 'undo' | 'note'
  /** The choice made before a conflict, of an action that settles one. */
  choice?: SettleChoice
  title: string
  beneficiary: string | null
  /** Expected return told to the reader, of a loan. */
  due: string | null
}

/** Who decided to set an entry aside, and why. */
export type Decision = { username: string; reason: string; at: string }

/** One action in the outbox (design: record). Fields are only ever added; `v` says which shape it was written in. */
export type Entry = Omit<NewAction, 'resolves'> &
  Actor & {
    /** The store's own key; grows with every entry of this device. */
    seq: number
    /** UUID, the Idempotency-Key. */
    id: string
    v: 1
    /** Counts this device's actions, so that a gap can be seen; a new try keeps the number of the action. */
    device_seq: number
    /** `seq` whose place in the order this entry takes, when it is a new try of another; null is its own. */
    place: number | null
    resolves: string | null
    /** Who took over another person's entry, and sends it since. */
    adopted_by: { user_id: number; username: string; at: string } | null
    /** The body as it is sent, frozen: the same key never carries two bodies. */
    frozen_body: string
    /** By the device's own clock, as it was; `frozen_body` carries it corrected where the clock is far off. */
    occurred_at: string
    /** Of the session of whoever sends it; null, or absent from older entries, where its owner must confirm it first. */
    seal?: { id: string; mac: string } | null
    /** Milliseconds the device's clock is ahead of the server's, when it was last measured. */
    clock_offset: number | null
    state: EntryState
    /** How often it was sent; 0 means that the server cannot know of it. */
    attempts: number
    /** How often the server failed on it (5xx) while it was well otherwise. */
    faults: number
    /** Epoch milliseconds before which it is not tried again. */
    next_try: number
    /** True when the server asked to wait until then; absent from entries of older versions. */
    is_told_to_wait?: boolean
    last_status: number | null
    problem: Problem | null
    /** The server's stored answer; null too of what is done and of which the server tells nothing (« Déjà enregistré »). */
    receipt: unknown
    /** When it was done or set aside, by the device's clock. */
    settled_at: string | null
    decision: Decision | null
  }

/** How an entry stands that the server cannot know of. */
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
export type UnsettledState = (typeof unsettledStates)[number]

export const isUnsettled = (entry: Pick<Entry, 'state'>): boolean =>
  entry.state !== 'done' && entry.state !== 'set_aside'

/** Whose token sends it: the person who acted, or who adopted it. One text, to be compared. */
export const senderOf = (entry: Pick<Entry, 'environment_id' | 'user_id' | 'adopted_by'>): string =>
  personOf({ environment_id: entry.environment_id, user_id: entry.adopted_by?.user_id ?? entry.user_id })

export const personOf = ({ environment_id, user_id }: { environment_id: number; user_id: number }): string =>
  `${environment_id}/${user_id}`
