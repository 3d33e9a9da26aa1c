import pg from 'pg'

import { postgresAddress } from './postgres-address.ts'

/** Where tests run on a distributed engine, the machines beside the one that is asked (tests/citus/main.ts names them). */
const workers = (process.env['CITUS_WORKERS'] ?? '').split(',').filter((address) => address !== '')

export const isDistributing = workers.length > 0

const machines = [postgresAddress, ...workers]

/** Makes a database of this name on the workers, and has the one that is asked give them its libraries. */
export async function joinWorkers(name: string): Promise<void> {
  for (const worker of workers) await on(worker, 'postgres', [`create database ${name}`])
  for (const machine of machines) await on(machine, name, ['create extension citus'])
  const [host, port] = placeOf(postgresAddress)
  await on(postgresAddress, name, [
    `select citus_set_coordinator_host('${host}', ${port})`,
    ...workers.map(placeOf).map(([host, port]) => `select citus_add_node('${host}', ${port})`),
  ])
}

export async function leaveWorkers(name: string): Promise<void> {
  for (const worker of workers) await on(worker, 'postgres', [`drop database ${name} with (force)`])
}

/** Answers the rows of the last statement. */
export async function on<R extends pg.QueryResultRow>(
  address: string,
  database: string,
  statements: readonly string[],
): Promise<R[]> {
  const url = new URL(address)
  url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    let rows: R[] = []
    for (const statement of statements) rows = (await client.query<R>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

function placeOf(address: string): [host: string, port: string] {
  const { hostname, port } = new URL(address)
  return [hostname, port || '5432']
}
