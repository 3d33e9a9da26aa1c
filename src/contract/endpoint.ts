import type * as v from 'valibot'

import type { Right } from '../domain/rights.ts'
import type { FileType } from './file-types.ts'
import type { ListShape } from './list.ts'

/** What a call takes as a file: its types, as media types, and its size in bytes at most. */
export type Upload = { types: readonly string[]; mostBytes: number }

/** Who may call: anybody, any signed-in user, or a holder of a right (of any of several rights). */
export type Access = 'public' | 'signed-in' | Right | readonly Right[]

/**
 * One call, described once: the server mounts it, the client calls it, the outbox stores its name, the documentation is made
 * from it. `path` holds parameters in braces, as the page of calls writes them.
 */
export type Endpoint = {
  /** Stable for ever: entries waiting on tablets name it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  summary: string
  params?: v.GenericSchema<unknown, object>
  query?: v.GenericSchema<unknown, object>
  /** Present on collections: which filters and orders the query may name. */
  list?: ListShape
  body?: v.GenericSchema<unknown, object>
  /** What the body travels as; JSON unless said. */
  bodyType?: 'json' | 'form'
  /** Where one file is sent instead of a body, as the part `file` of a multipart form. */
  upload?: Upload
  answer: v.GenericSchema
  /** Types that the answer may have where it is a file and not JSON. */
  files?: readonly FileType[]
  /** Media types that the answer may have where it is a picture. */
  pictures?: readonly string[]
  /** True where the answer stays open: server-sent events, each with an `answer` as its data. */
  isStream?: boolean
  /** Status of success; 200 unless said. */
  status?: 200 | 201 | 202 | 204
  /** True where an action may wait in a device's outbox and be applied later. */
  canWait?: boolean
  /** True where doing it twice comes on top of doing it once: after a lost answer it is done again under one key, whatever is sent. */
  addsUp?: boolean
}

export const endpoint = <const E extends Endpoint>(description: E): E => description

type Of<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined
type Sent<S> = S extends v.GenericSchema ? v.InferInput<S> : undefined

/** What the server's verb receives, parsed. */
export type InputOf<E extends Endpoint> = {
  params: Of<E['params']>
  query: Of<E['query']>
  body: Of<E['body']>
}
export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>
/** What a caller sends. */
export type BodyOf<E extends Endpoint> = Sent<E['body']>
export type QueryOf<E extends Endpoint> = Sent<E['query']>
