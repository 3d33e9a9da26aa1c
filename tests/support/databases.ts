import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { inject } from 'vitest'

import {
  type Environment,
  openEnvironment,
  type StorageSettings,
} from '../../src/server/db/environments/environment.ts'
import { isDistributing, joinWorkers, leaveWorkers } from './distributed-databases.ts'
import { forgetEngines, memoryEngines } from './memory-engine.ts'
import { postgresAddress } from './postgres-address.ts'
import { seedTemplate } from './seed-template.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the embedded engine’s files lie, to be copied: `furnished` is a data directory, `bare` an engine’s without a table. */
    embeddedTemplate: string
    /** Name of a furnished database, to be copied; null where no PostgreSQL is reachable. */
    postgresTemplate: string | null
  }
}

export const addressOfDatabase = (name: string): string => {
  const url = new URL(postgresAddress)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements on the server's own database, where databases are made and dropped. */
export async function onPostgres(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAddress, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes a database that waits for no disk, because no test cuts PostgreSQL's power. */
export async function makeDatabase(name: string, template = 'template1'): Promise<void> {
  await onPostgres(
    `create database ${name} template ${template}`,
    `alter database ${name} set synchronous_commit = off`,
  )
  if (isDistributing) await joinWorkers(name)
}

export async function dropDatabase(name: string): Promise<void> {
  await onPostgres(`drop database ${name} with (force)`)
  if (isDistributing) await leaveWorkers(name)
}

export type TestStorage = {
  environment: Environment
  dataDir: string
  databaseUrl: string | null
  drop(): Promise<void>
}

/** Which engine this run is about: the project of tests/vitest.config.ts says so. */
export const testEngine = process.env['TEST_ENGINE'] ?? 'embedded'

/** Whether the embedded engine is a process with its files on a disk, as the product has it, or has them in memory. */
const isOnDisk = process.env['TEST_STORAGE'] === 'disk'

export const isEngineReachable = () => testEngine === 'embedded' || inject('postgresTemplate') !== null

let made = 0
const nextName = (template: string) => {
  made += 1
  return `${template}_${process.pid}_${made}`
}

const seeded = () => join(inject('embeddedTemplate'), 'furnished/environments/1/database/postgres')
const bare = () => join(inject('embeddedTemplate'), 'bare/postgres')

async function dropDirectory(dataDir: string): Promise<void> {
  await forgetEngines(dataDir)
  await rm(dataDir, { recursive: true, force: true })
}

/** After the name of a database to be made: one that knows no letters but A to Z. */
export const inCLocale = `template0 lc_collate 'C' lc_ctype 'C'`

/** A place for environments with nothing in it yet; what is opened there is closed before `drop`. */
export async function emptyStorage(template?: string): Promise<{
  settings: StorageSettings
  drop(): Promise<void>
}> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-test-'))
  if (testEngine === 'embedded') {
    const startEngine = isOnDisk ? {} : { startEngine: memoryEngines(bare) }
    return {
      settings: { dataDir, databaseUrl: null, ...startEngine },
      drop: () => dropDirectory(dataDir),
    }
  }
  const name = nextName(inject('postgresTemplate') ?? '')
  await makeDatabase(name, template)
  return {
    settings: { dataDir, databaseUrl: addressOfDatabase(name) },
    drop: async () => {
      await dropDatabase(name)
      await dropDirectory(dataDir)
    },
  }
}

/** Databases that no connection opens, which PostgreSQL itself copies when it makes another. */
const neverOpened = /[/\\]base[/\\][14]$/

/** Copies at once, because waiting for each of hundreds of files takes five times the work. */
export function seedFromTemplate(dataDir: string): void {
  cpSync(join(inject('embeddedTemplate'), 'furnished'), dataDir, {
    recursive: true,
    filter: (path) => !neverOpened.test(path),
  })
}

/** A copy of the prepared database, for a server that is started on it; null where there is no PostgreSQL. */
export async function copyPostgresTemplate(): Promise<{ databaseUrl: string; drop(): Promise<void> } | null> {
  const template = inject('postgresTemplate') ?? null
  if (template === null) return null
  const name = nextName(template)
  const databaseUrl = addressOfDatabase(name)
  if (isDistributing) {
    // No database whose rows lie elsewhere can be copied.
    await makeDatabase(name)
    const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-template-'))
    await seedTemplate(await openEnvironment({ dataDir, databaseUrl }, 1))
    await rm(dataDir, { recursive: true, force: true })
  } else await makeDatabase(name, template)
  return { databaseUrl, drop: () => dropDatabase(name) }
}

/** A fresh environment of its own: a copy of the prepared template, dropped after. */
export async function copyTemplate(): Promise<TestStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-test-'))
  const copy = testEngine === 'embedded' ? null : await copyPostgresTemplate()
  if (copy === null && testEngine !== 'embedded') throw new Error('no PostgreSQL is reachable')
  if (copy === null && isOnDisk) seedFromTemplate(dataDir)
  const databaseUrl = copy?.databaseUrl ?? null
  const startEngine = isOnDisk ? {} : { startEngine: memoryEngines(seeded) }
  const environment = await openEnvironment({ dataDir, databaseUrl, ...startEngine }, 1)
  return {
    environment,
    dataDir,
    databaseUrl,
    drop: async () => {
      await environment.close()
      await copy?.drop()
      await dropDirectory(dataDir)
    },
  }
}
