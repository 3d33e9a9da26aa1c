import { Kysely } from 'kysely'
import pg from 'pg'

import { BatchDialect, type BatchPool } from './statement-batch.ts'
import type { Database } from '../schema.ts'

// Dates stay text, instants become ISO text in UTC, bigint becomes a number, numeric stays a decimal string.
const { builtins } = pg.types
export const readableTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === builtins.DATE) return (text: string) => text
    if (oid === builtins.TIMESTAMPTZ) return (text: string) => new Date(text).toISOString()
    if (oid === builtins.INT8) return Number
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown
  },
}

export type PoolTarget = pg.PoolConfig

export function openPool(target: PoolTarget): { pool: pg.Pool; db: Kysely<Database> } {
  const pool = new pg.Pool({ max: 10, ...target, types: readableTypes })
  // Without listeners a broken connection would end the process; the pool replaces it and its query fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { pool, db: poolDb(pool) }
}

/** Connections on a schema: a statement says so, because a pooler refuses it at a connection's start. */
export const onSchema = (schema: string): Pick<pg.PoolConfig, 'onConnect'> => ({
  // The pool waits for it.
  onConnect: (client) => client.query(`set search_path = ${pg.escapeIdentifier(schema)}, public`),
})

export const poolDb = (pool: BatchPool): Kysely<Database> => new Kysely({ dialect: new BatchDialect(pool) })
