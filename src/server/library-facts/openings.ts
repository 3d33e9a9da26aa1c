import { sql } from 'kysely'

import type { Openings } from '../../domain/open-days.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'

/** In one statement, because every site's week and closures are few. */
export async function readOpenings(db: Db | Trx): Promise<Openings> {
  const { rows } = await sql<Openings>`
    select
      (select coalesce(json_agg(json_build_object('site', id, 'weekdays', open_weekdays) order by id), '[]')
        from sites where cardinality(open_weekdays) < 7) as weeks,
      (select coalesce(json_agg(
        json_build_object('site', site, 'first_day', first_day, 'last_day', last_day) order by first_day, id), '[]')
        from closures where deleted_at is null) as closures`.execute(db)
  return rows[0] ?? { weeks: [], closures: [] }
}

// As for parameters: each call asks, they hardly change, and the process that changes them drops its memory.
const keptFor = 2000
const kept = new WeakMap<Environment, { until: number; openings: Promise<Openings> }>()

export function currentOpenings(environment: Environment): Promise<Openings> {
  const found = kept.get(environment)
  if (found && found.until > performance.now()) return found.openings
  const openings = readOpenings(environment.db)
  openings.catch(() => kept.delete(environment))
  kept.set(environment, { until: performance.now() + keptFor, openings })
  return openings
}

export const forgetOpenings = (environment: Environment) => kept.delete(environment)
