import { Kysely } from 'kysely'
import pg from 'pg'

import { LaneDialect } from './lane.ts'
import type { Database } from './schema.ts'

// Calendar days stay text, instants are ISO text in UTC, bigint counts are numbers, numeric stays a decimal string.
const { builtins } = pg.types
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.DATE) return (text: string) => text
    if (oid === builtins.TIMESTAMPTZ) return (text: string) => new Date(text).toISOString()
    if (oid === builtins.INT8) return Number
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown
  },
}

export type PoolTarget = pg.PoolConfig

/** A pool of connections with the product's way of reading values. */
export function openPool(target: PoolTarget): { pool: pg.Pool; db: Kysely<Database> } {
  const pool = new pg.Pool({ max: 10, ...target, types })
  // A connection that breaks is replaced by the pool, and whoever had it sees its query fail; without listeners, one for those at rest
  // and one for those at work, the news itself would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { pool, db: new Kysely<Database>({ dialect: new LaneDialect(pool) }) }
}
