import { sql } from 'kysely'

import { getHealth } from '../contract/system.ts'
import { read } from './http/binding.ts'
import { done, refuse } from './http/outcome.ts'

export const healthRoutes = [
  read(getHealth, async (db) => {
    try {
      await sql`select 1`.execute(db)
      return done({ status: 'ok' as const })
    } catch {
      return refuse({ status: 503, message: 'La base de données ne répond pas.' })
    }
  }),
]
