import type { AnswerOf, Endpoint, InputOf } from '../../contract/endpoint.ts'
import type { ListQuery } from '../../contract/list.ts'
import type { Db, Environment, Trx } from '../db/environment.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import type { Exchange, PublicExchange } from './exchange.ts'
import type { Outcome } from './outcome.ts'

type ListOf<E extends Endpoint> = E['list'] extends object ? { list: ListQuery } : object
export type VerbInput<E extends Endpoint> = InputOf<E> & ListOf<E>
export type ExchangeOf<E extends Endpoint> = E['access'] extends 'public' ? PublicExchange : Exchange

type Verb<E extends Endpoint, D> = (
  db: D,
  input: VerbInput<E>,
  exchange: ExchangeOf<E>,
) => Promise<Outcome<AnswerOf<E>>>

/** What a stream is opened with, beside who asks for it. */
export type StreamRequest = { method: string; lastEventId: string | null; live: LiveChanges }

/** An endpoint with what serves it. `kind` says which database handle the verb is given. */
export type Binding = {
  endpoint: Endpoint
} & (
  | { kind: 'read'; verb: (db: Db, input: never, exchange: never) => Promise<Outcome<unknown>> }
  | { kind: 'change'; verb: (trx: Trx, input: never, exchange: never) => Promise<Outcome<unknown>> }
  | { kind: 'stream'; open: (exchange: never, request: StreamRequest) => Promise<Response> }
  | { kind: 'probe'; verb: (environment: Environment) => Promise<Outcome<unknown>> }
)

/** Binds a call that only reads, or that looks after its own transactions (signing in: no transaction while a password is hashed). */
export const read = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'read',
  verb,
})

/**
 * Binds a call that changes something: one transaction, in which its Idempotency-Key is claimed, the verb runs, and the answer is
 * stored. A refused verb leaves nothing behind but its stored refusal.
 */
export const change = <E extends Endpoint>(endpoint: E, verb: Verb<E, Trx>): Binding => ({
  endpoint,
  kind: 'change',
  verb,
})

/** Binds a call whose answer stays open: its verb makes the whole answer. */
export const stream = <E extends Endpoint>(
  endpoint: E,
  open: (exchange: ExchangeOf<E>, request: StreamRequest) => Promise<Response>,
): Binding => ({ endpoint, kind: 'stream', open })

/** Binds a question about the server itself, answered before anything is read from the database. */
export const probe = <E extends Endpoint>(
  endpoint: E,
  verb: (environment: Environment) => Promise<Outcome<AnswerOf<E>>>,
): Binding => ({ endpoint, kind: 'probe', verb })
