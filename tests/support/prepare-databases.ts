import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

import { type Environment, openEnvironment } from '../../src/server/db/environment.ts'
import { furnishEnvironment } from '../../src/server/db/furnish-environment.ts'
import { addressOfDatabase, onPostgres } from './databases.ts'
import { furnishTestLibrary } from './test-library.ts'

/** Prepares one environment on the project's engine, once per run, for test files to copy. */
export default async function prepareDatabases(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-template-'))
  const dropDirectory = () => rm(dataDir, { recursive: true, force: true })
  project.provide('embeddedTemplate', dataDir)
  project.provide('postgresTemplate', null)
  if (project.name !== 'postgres') {
    await furnish(await openEnvironment({ dataDir, databaseUrl: null }, 1))
    return dropDirectory
  }
  const template = `comptoir_test_${randomBytes(6).toString('hex')}`
  try {
    await onPostgres(`create database ${template}`)
  } catch (error) {
    process.stderr.write(`PostgreSQL n’est pas joignable : ses tests ne sont pas lancés (${String(error)})\n`)
    return dropDirectory
  }
  await furnish(await openEnvironment({ dataDir, databaseUrl: addressOfDatabase(template) }, 1))
  project.provide('postgresTemplate', template)
  return async () => {
    await onPostgres(`drop database ${template} with (force)`)
    await dropDirectory()
  }
}

async function furnish(environment: Environment): Promise<void> {
  try {
    await furnishEnvironment(environment.db, 'mot-de-passe-admin')
    await furnishTestLibrary(environment.db)
  } finally {
    await environment.close()
  }
}
