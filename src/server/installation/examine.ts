import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

import * as v from 'valibot'

import { getHealth } from '../../contract/system.ts'
import {
  type Check,
  clockCheck,
  databaseCheck,
  type DatabaseFacts,
  databaseHeld,
  databaseOfAnotherAccount,
  type HealthAnswer,
  inOrder,
  noDatabaseYet,
  publicUrlCheck,
  serverCheck,
} from '../../domain/installation-checks.ts'
import { openMachines } from '../db/connections/machines.ts'
import { requireOwnConnections } from '../db/connections/own-connections.ts'
import { openPool, type PoolTarget } from '../db/connections/pool.ts'
import {
  DataDirectoryBusyError,
  readEngineAddress,
  startEmbeddedEngine,
} from '../db/engine/embedded-engine.ts'
import { embeddedEnvironmentIds } from '../db/environments/environment-ids.ts'
import { codeOf } from '../db/error-code.ts'
import type { Configuration } from '../process/configuration.ts'
import { askDatabase } from './ask-database.ts'
import { checkMachine } from './check-machine.ts'

/** What can be told from outside of a server, which may run or not. */
export async function examine(configuration: Configuration, now: Date): Promise<Check[]> {
  const { host, port, publicUrl, databaseUrl, dataDir } = configuration
  const address = `http://${reachable(host)}:${port}`
  const health = await askHealth(address)
  const isServed = health === 'ok' || health === 'no-library'
  const [machine, database, byPublicUrl] = await Promise.all([
    checkMachine(configuration, now),
    databaseUrl === null ? lookAtEmbedded(dataDir, isServed) : lookAtPostgres(databaseUrl),
    isServed ? askHealth(publicUrl) : null,
  ])
  return inOrder([
    ...machine,
    ...database,
    serverCheck({ address, health }),
    publicUrlCheck({ publicUrl, cameBy: null, health: byPublicUrl }),
  ])
}

/** An address that means every one of the machine is none to connect to. */
const reachable = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host

const patienceMs = 5_000

async function askHealth(address: string): Promise<HealthAnswer> {
  try {
    const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(patienceMs) })
    const answer = v.safeParse(getHealth.answer, await response.json().catch(() => null))
    if (!answer.success) return 'unwell'
    return answer.output.library === false ? 'no-library' : 'ok'
  } catch {
    return 'silent'
  }
}

async function lookAtPostgres(databaseUrl: string): Promise<Check[]> {
  try {
    await requireOwnConnections(databaseUrl)
    return await askedAt('postgres', { connectionString: await openMachines(databaseUrl).writable() })
  } catch (error) {
    return [databaseCheck(troubleOf('postgres', error))]
  }
}

/** One that a running server holds is the server's to answer for. */
async function lookAtEmbedded(dataDir: string, isServed: boolean): Promise<Check[]> {
  const bases = (await embeddedEnvironmentIds(dataDir))
    .map((id) => resolve(dataDir, 'environments', String(id), 'database'))
    .filter((base) => existsSync(join(base, 'postgres')))
  let checks: Check[] = [noDatabaseYet]
  for (const base of bases) {
    if (isServed && readEngineAddress(base) !== null) {
      checks = [databaseCheck({ kind: 'embedded', version: null, trouble: null })]
      continue
    }
    // Files that this account would leave in it could not be read by its own.
    if (process.getuid && statSync(join(base, 'postgres')).uid !== process.getuid())
      return [databaseOfAnotherAccount]
    try {
      const engine = await startEmbeddedEngine(base)
      checks = await askedAt('embedded', engine.connection).finally(() => engine.stop())
    } catch (error) {
      if (error instanceof DataDirectoryBusyError) return [databaseHeld]
      return [databaseCheck(troubleOf('embedded', error))]
    }
  }
  return checks
}

async function askedAt(kind: DatabaseFacts['kind'], target: PoolTarget): Promise<Check[]> {
  const { pool, db } = openPool({ ...target, max: 1 })
  const { ahead, ...facts } = await askDatabase(db).finally(() => pool.end())
  return [databaseCheck({ kind, ...facts, trouble: null }), clockCheck('clock', ahead)]
}

/** What connecting says names no password. */
const troubleOf = (kind: DatabaseFacts['kind'], error: unknown): DatabaseFacts => ({
  kind,
  version: null,
  trouble: error instanceof Error ? error.message || codeOf(error) : String(error),
})
