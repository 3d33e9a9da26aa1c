import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { Db } from '../../src/server/db/handles.ts'
import { type Replica, openReplica, type LibraryReplica } from '../../src/server/db/connections/replica.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

const ids = Array.from({ length: 12 }, (_, at) => at + 1)

/** The embedded engine has no copy. The database itself stands for one, which it is on its own timeline. */
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('a copy that libraries share', () => {
  let storage: Awaited<ReturnType<typeof emptyStorage>>
  let other: pg.Client
  const opened: Replica[] = []
  const troubles: (string | null)[] = []

  beforeAll(async () => {
    storage = await emptyStorage()
    other = new pg.Client({ connectionString: storage.settings.databaseUrl ?? '' })
    await other.connect()
    for (const id of ids) await other.query(`create schema env_${id}`)
  })
  afterEach(async () => {
    for (const copy of opened.splice(0)) await copy.end()
    troubles.splice(0)
  })
  afterAll(async () => {
    await other.end()
    await storage.drop()
  })

  const open = async (most: number): Promise<Map<number, LibraryReplica>> => {
    const copy = openReplica(storage.settings.databaseUrl ?? '', {
      most,
      statementTimeoutMs: 7000,
      onChange: (trouble) => troubles.push(trouble),
    })
    opened.push(copy)
    const { rows } = await other.query<{ timeline: string }>(
      'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline',
    )
    const timeline = () => Promise.resolve(rows[0]?.timeline ?? null)
    return new Map(ids.map((id) => [id, copy.of(`env_${id}`, timeline)]))
  }
  const connections = async () => {
    const { rows } = await other.query<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where application_name = 'comptoir-reads' and datname = current_database()",
    )
    return rows[0]?.count ?? 0
  }
  const here = async (db: Db | undefined) => {
    if (!db) return null
    const { rows } = await sql<{ schema: string; bound: string }>`
      select current_schema() as schema, current_setting('statement_timeout') as bound`.execute(db)
    return rows[0]
  }
  /** Holds a connection until it is told to let go. */
  const holding = async (db: Db | undefined) => {
    let letGo = () => {}
    const until = new Promise<void>((resolve) => (letGo = resolve))
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const held = db?.connection().execute(async (lane) => {
      await sql`select 1`.execute(lane)
      begin()
      await until
    })
    await begun
    return async () => {
      letGo()
      await held
    }
  }

  it('takes a few connections for all of them, and each reads its own schema', async () => {
    const replicas = await open(3)
    for (let round = 0; round < 3; round += 1)
      for (const id of ids) {
        const copy = await replicas.get(id)!.ready()
        expect(await here(copy?.db)).toEqual({ schema: `env_${id}`, bound: '7s' })
      }
    await Promise.all(
      [...ids, ...ids].map(async (id) => {
        const read = await here((await replicas.get(id)!.ready())?.db)
        if (read) expect(read.schema).toBe(`env_${id}`)
      }),
    )
    expect(await connections()).toBeLessThanOrEqual(3)
    expect(troubles).toEqual([])
  })

  it('is passed over while its connections are busy, and read again after', async () => {
    const replicas = await open(4)
    const copies = new Map(
      await Promise.all(ids.map(async (id) => [id, (await replicas.get(id)!.ready())?.db] as const)),
    )
    const first = await Promise.all([1, 1, 1].map((id) => holding(copies.get(id))))
    // One library has three at most; the others read on.
    expect(await replicas.get(1)!.ready()).toBeNull()
    expect(await replicas.get(2)!.ready()).not.toBeNull()
    const last = await holding(copies.get(2))
    for (const id of ids) expect(await replicas.get(id)!.ready()).toBeNull()
    expect(await connections()).toBe(4)
    for (const letGo of [...first, last]) await letGo()
    for (const id of ids) expect(await replicas.get(id)!.ready()).not.toBeNull()
    expect(troubles).toEqual([])
  })

  it('goes on for the others when one of them closes', async () => {
    const replicas = await open(2)
    expect(await replicas.get(1)!.ready()).not.toBeNull()
    await replicas.get(1)!.close()
    expect(await here((await replicas.get(2)!.ready())?.db)).toMatchObject({ schema: 'env_2' })
    expect(troubles).toEqual([])
  })
})
