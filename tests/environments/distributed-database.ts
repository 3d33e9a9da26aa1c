import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import type { StorageSettings } from '../../src/server/db/environments/environment.ts'
import { emptyStorage } from '../support/databases.ts'

/** A place for environments whose schemas a distributed engine may hold; on plain PostgreSQL they are as ever. */
export type DistributedDatabase = {
  settings: StorageSettings
  /** Of a schema that is made with it, the tables are distributed from the first on. */
  distributing: StorageSettings
  /** The extension's version; null on plain PostgreSQL. */
  citus: string | null
  /** Distributes a schema that is there. */
  distribute(schema: string): Promise<void>
  /** Moves a distributed schema to another machine, and answers which; null where there is no other. */
  move(schema: string): Promise<string | null>
  drop(): Promise<void>
}

type Node = { name: string; port: number }

/** CITUS_URL is a database that is made ready for this: the extension is in it, its machines are known, and nothing else is there. */
export async function openDistributedDatabase(): Promise<DistributedDatabase> {
  const address = process.env['CITUS_URL']
  const citus = address ? await citusAt(address) : null
  if (!address || citus === null) {
    const { settings, drop } = await emptyStorage()
    return {
      settings,
      distributing: settings,
      citus: null,
      distribute: () => Promise.resolve(),
      move: () => Promise.resolve(null),
      drop,
    }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-test-'))
  const settings = { dataDir, databaseUrl: address }
  const schemas = () =>
    ask<{ name: string }>(address, `select nspname as name from pg_namespace where nspname ~ '^env_\\d+$'`)
  if ((await schemas()).length > 0)
    throw new Error('CITUS_URL names a database that has environments: another one is needed, to be emptied')
  return {
    settings,
    distributing: { dataDir, databaseUrl: withSetting(address, 'citus.enable_schema_based_sharding=on') },
    citus,
    distribute: async (schema) => {
      await ask(address, 'select citus_schema_distribute($1)', [schema])
    },
    move: async (schema) => {
      const place = await placeOf(address, schema)
      const nodes = await ask<Node>(
        address,
        `select nodename as name, nodeport as port from pg_dist_node
         where noderole = 'primary' and isactive and shouldhaveshards order by nodeid`,
      )
      const other = nodes.find(({ name, port }) => `${name}:${port}` !== place)
      if (!other) return null
      // Tables without a primary key are copied while nobody writes.
      await ask(address, `select citus_schema_move($1, $2, $3, 'block_writes')`, [
        schema,
        other.name,
        other.port,
      ])
      return placeOf(address, schema)
    },
    drop: async () => {
      for (const { name } of await schemas()) await ask(address, `drop schema ${name} cascade`)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The version of the extension in a database; null without it. */
export async function citusAt(address: string): Promise<string | null> {
  const [found] = await ask<{ version: string }>(
    address,
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  return found?.version ?? null
}

async function placeOf(address: string, schema: string): Promise<string | null> {
  const [found] = await ask<{ place: string }>(
    address,
    `select distinct nodename || ':' || nodeport as place from citus_shards where table_name = $1::regclass`,
    [`${schema}.loanings`],
  )
  return found?.place ?? null
}

function withSetting(address: string, setting: string): string {
  const url = new URL(address)
  url.searchParams.set(
    'options',
    [url.searchParams.get('options'), `-c ${setting}`].filter(Boolean).join(' '),
  )
  return url.href
}

async function ask<R extends pg.QueryResultRow>(
  address: string,
  statement: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 5000 })
  await client.connect()
  try {
    return (await client.query<R>(statement, values)).rows
  } finally {
    await client.end()
  }
}
