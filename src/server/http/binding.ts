import type { AnswerOf, Endpoint, InputOf } from '../../contract/endpoint.ts'
import type { FileType } from '../../contract/file-types.ts'
import type { ListQuery } from '../../contract/list.ts'
import type { Environment } from '../db/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import type { ReceivedFile } from './receive-file.ts'
import type { ServedFile } from './served-file.ts'
import type { Decision } from './decision.ts'
import type { Exchange, PublicExchange } from './exchange.ts'
import type { Outcome } from './outcome.ts'

type ListOf<E extends Endpoint> = E['list'] extends object ? { list: ListQuery } : object
type FileOf<E extends Endpoint> = E['upload'] extends object ? { file: ReceivedFile } : object
export type VerbInput<E extends Endpoint> = InputOf<E> & ListOf<E> & FileOf<E>
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
  | {
      kind: 'read'
      verb: (db: Db, input: never, exchange: never) => Promise<Outcome<unknown>>
      /** Goes over many rows without being a list (every list does): see `inTurn`. */
      isLong?: true
    }
  | {
      kind: 'change'
      verb: (trx: Trx, input: never, exchange: never) => Promise<Outcome<unknown>>
      /** Sent along once the change is made. */
      headers: Record<string, string>
    }
  | {
      kind: 'file'
      verb: (reads: ReadInTurn, input: never, exchange: never) => Promise<Outcome<ServedFile>>
    }
  | {
      kind: 'decision'
      verb: (trx: Trx, input: never, exchange: never) => Promise<Outcome<Decision<unknown>>>
    }
  | { kind: 'stream'; open: (exchange: never, request: StreamRequest) => Promise<Response> }
  | { kind: 'probe'; verb: (environment: Environment) => Promise<Outcome<unknown>> }
)

/** Binds a call that only reads, or that looks after its own transactions (signing in: no transaction while a password is hashed). */
export const read = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'read',
  verb,
})

/** Binds a call that reads a good part of the library for one answer: like a list, it waits for its turn. */
export const longRead = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'read',
  verb,
  isLong: true,
})

/**
 * Binds a call that changes something: one transaction, in which its Idempotency-Key is claimed, the verb runs, and the answer is
 * stored. A refused verb leaves nothing behind but its stored refusal.
 */
export const change = <E extends Endpoint>(
  endpoint: E,
  verb: Verb<E, Trx>,
  headers: Record<string, string> = {},
): Binding => ({ endpoint, kind: 'change', verb, headers })

/** Binds a call that answers a file. Its rows are read in turn with the lists, so many at once, while it is sent. */
export const file = <E extends Endpoint & { files: readonly FileType[] }>(
  endpoint: E,
  verb: (reads: ReadInTurn, input: VerbInput<E>, exchange: Exchange) => Promise<Outcome<ServedFile>>,
): Binding => ({ endpoint, kind: 'file', verb })

/**
 * Binds a change whose verb only locks and reads, and hands back what is to be written: that travels with the stored answer in one
 * statement, and a refusal needs nothing undone. For what a counter does all day.
 */
export const decide = <E extends Endpoint>(
  endpoint: E,
  verb: (trx: Trx, input: VerbInput<E>, exchange: ExchangeOf<E>) => Promise<Outcome<Decision<AnswerOf<E>>>>,
): Binding => ({ endpoint, kind: 'decision', verb })

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
