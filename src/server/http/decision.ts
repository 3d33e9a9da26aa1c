import { type Compilable, type OperationNodeSource, sql } from 'kysely'

import type { Trx } from '../db/handles.ts'
import { done, type Outcome } from './outcome.ts'

/** A statement that writes, not sent yet. */
export type Write = OperationNodeSource & Compilable

/** What a verb decided that only locks and reads: its answer, and what is to be written, no two of them to one row. */
export type Decision<T> = { answer: T; writes: readonly Write[] }

/** Sends all that is to be written in one statement: none of its parts sees what another writes. */
export async function writeAll(trx: Trx, writes: readonly Write[]): Promise<void> {
  const last = writes.at(-1)
  if (!last) return
  const first = writes.slice(0, -1).map((write, n) => sql`${sql.raw(`write_${n}`)} as (${write})`)
  await (first.length === 0 ? sql`${last}` : sql`with ${sql.join(first)} ${last}`).execute(trx)
}

/** Writes at once what was decided, for a verb that goes on from there. */
export async function carriedOut<T>(trx: Trx, decided: Outcome<Decision<T>>): Promise<Outcome<T>> {
  if (!decided.ok) return decided
  const { answer, writes } = decided.answer
  await writeAll(trx, writes)
  return done(answer, decided.status)
}
