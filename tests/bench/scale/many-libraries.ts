import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { sql } from 'kysely'

import { type Connections, openConnections } from '../../../src/server/db/connections/connections.ts'
import { openEnvironment } from '../../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../../src/server/seed-environment.ts'
import { administratorPassword, dropPostgres, makePostgres } from './bench-library.ts'
import { fillLibrary, type LibrarySize } from './fill-library.ts'
import { openSession } from '../../support/open-session.ts'

/** Many environments in one database; nobody serves them yet. */
export type ManyLibraries = {
  dataDir: string
  databaseUrl: string
  connections: Connections
  /** Of an administrator, the same in each that is whole. */
  token: string
  drop(): Promise<void>
}

type Size = {
  known: number
  /** The rest have every table and index, without a row and without what ties them: nobody calls them. */
  whole: number
  library: LibrarySize
}

export const hostOf = (id: number): string => `pret${id}.fr`

/** The first is made by the product, and copied. */
export async function makeManyLibraries(name: string, size: Size): Promise<ManyLibraries> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-bench-'))
  const databaseUrl = await makePostgres(name)
  const connections = openConnections(databaseUrl)
  const drop = async () => {
    await connections.end()
    await dropPostgres(name)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const token = await fill({ dataDir, databaseUrl, connections }, size)
    return { dataDir, databaseUrl, connections, token, drop }
  } catch (error) {
    await drop()
    throw error
  }
}

type Place = Pick<ManyLibraries, 'dataDir' | 'databaseUrl' | 'connections'>

async function fill(place: Place, { known, whole, library }: Size): Promise<string> {
  const { dataDir, databaseUrl, connections } = place
  const token = await makeLibrary(place, 1, library)
  const run = promisify(execFile)
  await run('bash', ['-c', `pg_dump --no-owner -n env_1 ${databaseUrl} > ${join(dataDir, 'one.sql')}`])
  await run('bash', [
    '-c',
    `for id in $(seq 2 ${whole}); do sed "s/env_1\\b/env_$id/g" ${join(dataDir, 'one.sql')} | psql -q -v ON_ERROR_STOP=1 ${databaseUrl} > /dev/null; done`,
  ])
  for (let id = whole + 1; id <= known; id += 1) await makeSleeper(connections, id)
  for (let id = 2; id <= known; id += 1) {
    const table = sql.table(`env_${id}.environment`)
    await sql`update ${table} set id = ${id}, name = ${`env ${id}`}, hosts = ${[hostOf(id)]}`.execute(
      connections.ground,
    )
  }
  return token
}

/** By the product; answers the token of its administrator. */
export async function makeLibrary(place: Place, id: number, size: LibrarySize): Promise<string> {
  const made = await openEnvironment(place, id)
  await seedEnvironment(made.db, administratorPassword)
  await fillLibrary(made.pool, size)
  const token = await openSession(made.db)
  await sql`update environment set hosts = ${[hostOf(id)]}`.execute(made.db)
  await made.close()
  return token
}

/** A schema that is known, with the tables, columns and indexes of the first one. */
async function makeSleeper({ ground }: Connections, id: number): Promise<void> {
  const schema = sql.lit(`env_${id}`)
  await sql`do $$ declare made record; begin
    execute format('create schema %I', ${schema});
    for made in select relname as name from pg_class where relnamespace = 'env_1'::regnamespace and relkind = 'r' loop
      execute format('create table %I.%I (like env_1.%I including all)', ${schema}, made.name, made.name);
    end loop;
    execute format('insert into %I.kysely_migration select * from env_1.kysely_migration', ${schema});
    execute format('insert into %I.environment select * from env_1.environment', ${schema});
  end $$`.execute(ground)
}
