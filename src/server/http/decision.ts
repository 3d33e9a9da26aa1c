import { type Compilable, type OperationNodeSource, type RawBuilder, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { done, type Outcome } from './outcome.ts'

export type Write = OperationNodeSource & Compilable

/** What a verb that only locks and reads decided to write: never one row twice. */
export type Decision<T> = { answer: T; writes: readonly Write[] }

/** Joins what is to be written into one statement, whose parts do not see each other; null for none. */
export function writing(writes: readonly Write[]): RawBuilder<unknown> | null {
  const last = writes.at(-1)
  if (!last) return null
  const first = writes.slice(0, -1).map((write, n) => sql`${sql.raw(`write_${n}`)} as (${write})`)
  return first.length === 0 ? sql`${last}` : sql`with ${sql.join(first)} ${last}`
}

/** Writes what was decided now, for a verb that goes on from there. */
export async function carriedOut<T>(trx: Trx, decided: Outcome<Decision<T>>): Promise<Outcome<T>> {
  if (!decided.ok) return decided
  const { answer, writes } = decided.answer
  await writing(writes)?.execute(trx)
  return done(answer, decided.status)
}
