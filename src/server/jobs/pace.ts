import type { JobKind } from '../../contract/jobs.ts'
import type { Environment } from '../db/environments/environment.ts'

/** Milliseconds of work at most that a look-up should find before it on the embedded engine, which does one thing at a time. */
const aimed = 40
const rows = { first: 40, least: 20, most: 200 }

type Pace = { kind: JobKind | null; rows: number }
const paces = new WeakMap<object, Pace>()

/** Records that a step goes through. */
export const rowsAStep = ({ environment: { engine } }: { environment: Environment }): number =>
  engine ? (paces.get(engine)?.rows ?? rows.first) : rows.most

/** Begins carefully with another kind of job, whose rows may cost more. */
export function paceFor({ engine }: Environment, kind: JobKind): void {
  if (engine && paces.get(engine)?.kind !== kind) paces.set(engine, { kind, rows: rows.first })
}

/** Learns from a step of some rows how many the next one may have, by what it took in milliseconds. */
export function learnPace({ engine }: Environment, did: number, took: number): void {
  const pace = engine ? paces.get(engine) : undefined
  // The last rows of a job tell little of what many cost.
  if (!pace || did < pace.rows) return
  const fitting = Math.floor((did * aimed) / Math.max(took, 1))
  pace.rows = Math.min(rows.most, Math.max(rows.least, Math.min(fitting, 2 * did)))
}
