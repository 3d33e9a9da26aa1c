import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { TestProject } from 'vitest/node'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { addressOfDatabase, dropDatabase, makeDatabase } from './databases.ts'
import { seedTemplate } from './seed-template.ts'
import { keptTemplate } from './kept-template.ts'

type Drop = () => Promise<void>

/** Prepares one environment on the project's engine for test files to copy. */
export default (project: TestProject): Promise<Drop | undefined> =>
  prepareOn(project, project.config.env?.['TEST_ENGINE'] === 'postgres')

/** Once per run, whatever projects it has. */
export async function prepareOn(project: TestProject, isPostgres: boolean): Promise<Drop | undefined> {
  const run = project.vitest.getRootProject()
  const template = isPostgres ? 'postgresTemplate' : 'embeddedTemplate'
  if (template in run.getProvidedContext()) return undefined
  if (!isPostgres) {
    run.provide('embeddedTemplate', await keptTemplate())
    return undefined
  }
  const name = `comptoir_test_${randomBytes(6).toString('hex')}`
  try {
    await makeDatabase(name)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    process.stderr.write(`PostgreSQL n’est pas joignable : ses tests ne sont pas lancés (${String(error)})\n`)
    run.provide('postgresTemplate', null)
    return undefined
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-template-'))
  await seedTemplate(await openEnvironment({ dataDir, databaseUrl: addressOfDatabase(name) }, 1))
  run.provide('postgresTemplate', name)
  return async () => {
    await dropDatabase(name)
    await rm(dataDir, { recursive: true, force: true })
  }
}

const unreachable = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN']

const isUnreachable = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(isUnreachable)
    : error instanceof Error &&
      (unreachable.includes((error as NodeJS.ErrnoException).code ?? '') ||
        error.message === 'timeout expired')
