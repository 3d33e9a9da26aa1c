import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { type Environment, openEnvironment } from '../../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../../src/server/seed-environment.ts'
import { fillLibrary, type LibrarySize } from './fill-library.ts'
import { openSession } from '../../support/open-session.ts'

export type Engine = 'PostgreSQL' | 'embedded'

/** A filled library on one engine, with an administrator's session. */
export type BenchLibrary = {
  engine: Engine
  size: LibrarySize
  environment: Environment
  dataDir: string
  databaseUrl: string | null
  token: string
  fillMs: number
  drop(): Promise<void>
}

export const administratorPassword = 'mot-de-passe-admin'
const postgresAddress = process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAddress, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Null where PostgreSQL is not reachable, else what it calls itself. */
export async function findPostgres(): Promise<string | null> {
  const client = new pg.Client({ connectionString: postgresAddress, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return rows[0]?.server_version.split(' ')[0] ?? ''
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** An empty database; answers its address. */
export async function makePostgres(name: string): Promise<string> {
  await dropPostgres(name)
  await onPostgres(`create database ${name}`)
  const url = new URL(postgresAddress)
  url.pathname = `/${name}`
  return url.href
}

export const dropPostgres = (name: string) => onPostgres(`drop database if exists ${name} with (force)`)

export async function openBenchLibrary(engine: Engine, size: LibrarySize): Promise<BenchLibrary> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-bench-'))
  const name = `comptoir_bench_${process.pid}_${size.loans}`
  const databaseUrl = engine === 'PostgreSQL' ? await makePostgres(name) : null
  const removeAll = async () => {
    if (databaseUrl) await dropPostgres(name)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const environment = await openEnvironment({ dataDir, databaseUrl }, 1)
    await seedEnvironment(environment.db, administratorPassword)
    const before = performance.now()
    await fillLibrary(environment.pool, size)
    const fillMs = performance.now() - before
    const token = await openSession(environment.db)
    let closed: Promise<void> | undefined
    const close = () => (closed ??= environment.close())
    const drop = async () => {
      await close()
      await removeAll()
    }
    return { engine, size, environment: { ...environment, close }, dataDir, databaseUrl, token, fillMs, drop }
  } catch (error) {
    await removeAll()
    throw error
  }
}
