import type * as v from 'valibot'

import type { Right } from '../domain/rights.ts'
import type { FileType } from './file-types.ts'
import type { ListShape } from './list.ts'

/** Media types, the largest size in bytes, and what other fields the form may have, as texts. */
export type Upload = { types: readonly string[]; mostBytes: number; fields?: readonly string[] }

export type Access = 'public' | 'signed-in' | Right | readonly Right[]

/** `path` holds parameters in braces. */
export type Endpoint = {
  /** Never changes: entries waiting on devices name it. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Access
  /** Also open to a session whose person must first choose a password or a second factor. */
  beforeSetUp?: true
  summary: string
  params?: v.GenericSchema<unknown, object>
  query?: v.GenericSchema<unknown, object>
  list?: ListShape
  body?: v.GenericSchema<unknown, object>
  /** A body that is a bare list is taken as this field of it. */
  listIs?: string
  /** Fields of the body whose values no fingerprint keeps: passwords. */
  secrets?: readonly string[]
  /** JSON unless said. */
  bodyType?: 'json' | 'form'
  /** One file instead of a body: the part `file` of a multipart form. */
  upload?: Upload
  answer: v.GenericSchema
  files?: readonly FileType[]
  /** Media types, when the answer is a picture. */
  pictures?: readonly string[]
  /** The answer stays open: server-sent events, each with an `answer` as its data. */
  isStream?: boolean
  /** 200 unless said. */
  status?: 200 | 201 | 202 | 204
  /** An action that may wait in a device's outbox. */
  canWait?: boolean
  /** Twice does more than once, so a lost answer is asked again under the same key. */
  addsUp?: boolean
}

export const endpoint = <const E extends Endpoint>(description: E): E => description

type Of<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined
type Sent<S> = S extends v.GenericSchema ? v.InferInput<S> : undefined

export type InputOf<E extends Endpoint> = {
  params: Of<E['params']>
  query: Of<E['query']>
  body: Of<E['body']>
}
export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>
export type BodyOf<E extends Endpoint> = Sent<E['body']>
export type QueryOf<E extends Endpoint> = Sent<E['query']>
