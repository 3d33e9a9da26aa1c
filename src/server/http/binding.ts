import type { AnswerOf, Endpoint, InputOf } from '../../contract/endpoint.ts'
import type { FileType } from '../../contract/file-types.ts'
import type { ListQuery } from '../../contract/list.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { LiveChanges } from '../events/live-changes.ts'
import type { Decision } from './decision.ts'
import type { Exchange, PublicExchange } from './exchange.ts'
import type { Outcome } from './outcome.ts'
import type { ReceivedFile } from './receive-file.ts'
import type { ServedFile, ServedPicture } from './served-file.ts'

type ListOf<E extends Endpoint> = E['list'] extends object ? { list: ListQuery } : object
type FileOf<E extends Endpoint> = E['upload'] extends object ? { file: ReceivedFile } : object
export type VerbInput<E extends Endpoint> = InputOf<E> & ListOf<E> & FileOf<E>
type ExchangeOf<E extends Endpoint> = E['access'] extends 'public' ? PublicExchange : Exchange

type Verb<E extends Endpoint, D> = (
  db: D,
  input: VerbInput<E>,
  exchange: ExchangeOf<E>,
) => Promise<Outcome<AnswerOf<E>>>

export type StreamRequest = { method: string; lastEventId: string | null; live: LiveChanges }

/** `kind` says which database handle the verb gets. */
export type Binding = {
  endpoint: Endpoint
  /** Its answer may be of a moment ago, and so comes from the copy where there is one (DATABASE_READ_URL). */
  mayLag?: true
} & (
  | {
      kind: 'read'
      verb: (db: Db, input: never, exchange: never) => Promise<Outcome<unknown>>
      /** Reads many rows, as every list does, and so waits its turn (`inTurn`). */
      isLong?: true
    }
  | {
      kind: 'change'
      verb: (trx: Trx, input: never, exchange: never, prepared: never) => Promise<Outcome<unknown>>
      /** Slow work before the transaction, whose result the verb gets. */
      prepare?: (input: never, exchange: never) => Promise<unknown>
      headers: Record<string, string>
    }
  | { kind: 'unkept'; verb: (db: Db, input: never, exchange: never) => Promise<Outcome<unknown>> }
  | {
      kind: 'file'
      /** Keeps something for whoever asks, and so does nothing for who only asks whether it is there. */
      keeps?: true
      verb: (reads: ReadInTurn, input: never, exchange: never) => Promise<Outcome<ServedFile>>
    }
  | {
      kind: 'decision'
      verb: (trx: Trx, input: never, exchange: never) => Promise<Outcome<Decision<unknown>>>
    }
  | { kind: 'stream'; open: (exchange: never, request: StreamRequest) => Promise<Response> }
  | {
      kind: 'picture'
      /** The picture that the address itself names, for which nobody asks who calls. */
      byAddress: ((files: string, input: never) => Promise<ServedPicture | null>) | null
      verb: (db: Db, input: never, exchange: never) => Promise<Outcome<ServedPicture>>
    }
  | { kind: 'probe'; verb: (environment: Environment, isItsHost: boolean) => Promise<Outcome<unknown>> }
)

export const read = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'read',
  verb,
})

/** A call that reads much of the library for one answer, and so waits its turn like a list. */
export const longRead = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'read',
  verb,
  isLong: true,
})

/** A call whose answer may be of a moment ago: who changes something looks for it in a list, not here. */
export const aMomentAgo = (binding: Binding): Binding => ({ ...binding, mayLag: true })

/** A change whose key, writes and answer are one transaction; a refusal leaves nothing but itself. */
export const change = <E extends Endpoint>(
  endpoint: E,
  verb: Verb<E, Trx>,
  headers: Record<string, string> = {},
): Binding => ({ endpoint, kind: 'change', verb, headers })

/** A change that first does slow work outside its transaction, such as hashing a password. */
export const changeAfter = <E extends Endpoint, P>(
  endpoint: E,
  prepare: (input: VerbInput<E>, exchange: ExchangeOf<E>) => Promise<P>,
  verb: (
    trx: Trx,
    input: VerbInput<E>,
    exchange: ExchangeOf<E>,
    prepared: P,
  ) => Promise<Outcome<AnswerOf<E>>>,
): Binding => ({ endpoint, kind: 'change', prepare, verb, headers: {} })

/** A change that keeps nothing under its key and opens its own transactions, such as one that hashes a password first. */
export const changeUnkept = <E extends Endpoint>(endpoint: E, verb: Verb<E, Db>): Binding => ({
  endpoint,
  kind: 'unkept',
  verb,
})

/** A call that answers a file, whose rows are read in turn with the lists while it is sent. */
export const file = <E extends Endpoint & { files: readonly FileType[] }>(
  endpoint: E,
  verb: (reads: ReadInTurn, input: VerbInput<E>, exchange: Exchange) => Promise<Outcome<ServedFile>>,
): Binding => ({ endpoint, kind: 'file', verb })

/** The same, where what the file holds is kept for whoever asked. */
export const keepingFile: typeof file = (endpoint, verb) => ({ endpoint, kind: 'file', keeps: true, verb })

/** A change at the counter, whose verb locks and reads, then returns what is written with the answer. */
export const decide = <E extends Endpoint>(
  endpoint: E,
  verb: (trx: Trx, input: VerbInput<E>, exchange: ExchangeOf<E>) => Promise<Outcome<Decision<AnswerOf<E>>>>,
): Binding => ({ endpoint, kind: 'decision', verb })

export const stream = <E extends Endpoint>(
  endpoint: E,
  open: (exchange: ExchangeOf<E>, request: StreamRequest) => Promise<Response>,
): Binding => ({ endpoint, kind: 'stream', open })

/** A call that answers a picture: where an address may name its version without a session, else with one. */
export const picture = <E extends Endpoint & { pictures: readonly string[] }>(
  endpoint: E,
  byAddress: ((files: string, input: VerbInput<E>) => Promise<ServedPicture | null>) | null,
  verb: (db: Db, input: VerbInput<E>, exchange: Exchange) => Promise<Outcome<ServedPicture>>,
): Binding => ({ endpoint, kind: 'picture', byAddress, verb })

/** A question about the server itself, answered without its database; `isItsHost` where the host that was asked is the environment's. */
export const probe = <E extends Endpoint>(
  endpoint: E,
  verb: (environment: Environment, isItsHost: boolean) => Promise<Outcome<AnswerOf<E>>>,
): Binding => ({ endpoint, kind: 'probe', verb })
