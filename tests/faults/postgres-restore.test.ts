import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { makeBackup } from '../../src/server/backup/make-backup.ts'
import { restoreBackup } from '../../src/server/backup/restore-backup.ts'
import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { leaveSchemas, lockSchemasAlone } from '../../src/server/db/connections/schema-lock.ts'
import { openPool } from '../../src/server/db/connections/pool.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { canRunPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'
import { startProduct } from './product.ts'

if (!canRunPostgres)
  process.stdout.write('postgres-restore: initdb and pg_ctl are not on this machine, its tests are not run\n')

describe.skipIf(!canRunPostgres)('a restore beside servers of a PostgreSQL', () => {
  let postgres: OwnPostgres
  let home: string
  let storage: StorageSettings
  let file: string
  let made = 0
  const closing: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    postgres = await openOwnPostgres({})
    home = await mkdtemp(join(tmpdir(), 'comptoir-faults-'))
  })
  afterAll(async () => {
    await postgres?.drop()
    await rm(home, { recursive: true, force: true })
  })
  beforeEach(async () => {
    made += 1
    await onPostgres(`create database library_${made}`)
    storage = { dataDir: join(home, String(made)), databaseUrl: postgres.addressOf(`library_${made}`) }
    file = join(home, `backup-${made}`)
    const environment = await openEnvironment(storage, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')
    await seedTestLibrary(environment.db)
    await environment.close()
    await makeBackup(file, storage)
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })

  const onPostgres = async (statement: string, database = 'postgres') => {
    const client = new pg.Client({ connectionString: postgres.addressOf(database) })
    await client.connect()
    return client.query(statement).finally(() => client.end())
  }
  const serve = async (settings = storage): Promise<Environment> => {
    const environment = await openEnvironment(settings, 1)
    closing.push(() => environment.close())
    return environment
  }
  const restore = () => restoreBackup(file, storage, { replace: true })
  const servers = async () => {
    const { rows } = await onPostgres(
      `select 1 from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted`,
    )
    return rows.length
  }
  const sites = async ({ db }: Environment) => {
    const { rows } = await sql<{ name: string }>`select name from sites order by id`.execute(db)
    return rows.map(({ name }) => name)
  }
  const cutConnections = () =>
    onPostgres(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'library_${made}' and pid <> pg_backend_pid()`,
    )
  /** A connection of somebody who restores. */
  const aloneWith = async (ids: number[]) => {
    const { pool, db } = openPool({
      connectionString: storage.databaseUrl ?? '',
      max: 1,
      idleTimeoutMillis: 0,
    })
    closing.push(() => (pool.ended ? Promise.resolve() : pool.end()))
    return { isHeld: await lockSchemasAlone(db, ids), leave: () => leaveSchemas(db).then(() => pool.end()) }
  }

  it('waits for the last of several servers, whatever they are called', async () => {
    const first = await serve()
    const named = new URL(storage.databaseUrl ?? '')
    named.searchParams.set('application_name', 'autre')
    const second = await serve({ ...storage, databaseUrl: named.href })
    await expect(restore()).rejects.toThrow('est relié à cette base')
    await first.close()
    await expect(restore()).rejects.toThrow('est relié à cette base')
    expect(await sites(second)).toEqual(['Centre', 'Annexe'])
    await second.close()
    closing.length = 0
    await restore()
    expect(await sites(await serve())).toEqual(['Centre', 'Annexe'])
  })

  it('is refused again as soon as a server is back from a restart of the database', async () => {
    const environment = await serve()
    await postgres.restart('fast')
    // What the server does every five seconds at the latest: it asks something.
    await expect.poll(() => sites(environment).catch(() => [])).toEqual(['Centre', 'Annexe'])
    await expect.poll(servers).toBeGreaterThan(0)
    await expect(restore()).rejects.toThrow('est relié à cette base')
  })

  it('keeps out a server that comes back, or starts, while it works', async () => {
    const environment = await serve()
    await cutConnections()
    await expect.poll(() => environment.pool.totalCount).toBe(0)
    const { isHeld, leave } = await aloneWith([1])
    expect(isHeld).toBe(true)
    await expect(sites(environment)).rejects.toMatchObject({ code: '57P03' })
    expect((await environment.replaced).message).toMatch(/en train d’être reprise/)
    await expect(openEnvironment(storage, 1)).rejects.toThrow(/en train d’être reprise/)
    await leave()
    expect(await sites(await serve())).toEqual(['Centre', 'Annexe'])
  })

  it('is noticed by a server that was away from its beginning to its end, which writes nothing any more', async () => {
    const environment = await serve()
    // What a restore leaves that was faster than the server comes back.
    const replace = 'alter schema env_1 rename to before_env_1; create schema env_1'
    await onPostgres(`begin; ${replace}; commit`, `library_${made}`)
    await cutConnections()
    await expect.poll(() => environment.pool.totalCount).toBe(0)
    const write = sql`insert into sites (name) values ('Perdu')`.execute(environment.db)
    await expect(write).rejects.toThrow('remplacée par une sauvegarde')
    expect((await environment.replaced).message).toMatch(/remplacée par une sauvegarde/)
    await onPostgres('drop schema env_1; alter schema before_env_1 rename to env_1', `library_${made}`)
    expect(await sites(await serve())).toEqual(['Centre', 'Annexe'])
  })

  it('is said by such a server, which opens what was put in its place', async () => {
    const product = await startProduct({ DATA_DIR: storage.dataDir, DATABASE_URL: storage.databaseUrl ?? '' })
    closing.push(() => product.end('SIGKILL'))
    const client = new pg.Client({ connectionString: storage.databaseUrl ?? '' })
    await client.connect()
    // What a restore that was faster than the server leaves.
    await client
      .query('begin; alter schema env_1 rename to before_env_1; create schema env_1; commit')
      .finally(() => client.end())
    await cutConnections()
    await expect.poll(() => product.said()).toContain('La base a été remplacée par une sauvegarde')
    await expect.poll(async () => (await fetch(`${product.address}/dns`).catch(() => null))?.status).toBe(200)
  })
})
