import type { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Connections, openConnections } from '../../src/server/db/connections/connections.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { servedBy } from '../../src/server/db/environments/environments.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { openMetrics } from '../../src/server/metrics/metrics.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { type Client, clientOf, testNow } from '../support/test-server.ts'
import { adminPassword, seedTestLibrary } from '../support/test-library.ts'
import { openSession } from '../support/open-session.ts'

export const now = new Date(testNow)
export const metricsToken = 'jeton-de-mesure-0001'
export const hosts = ['pret1.fr', 'pret2.fr'] as const

type Two<T> = readonly [T, T]

/** Two libraries of one server with the same rows under the same ids, so that nothing but the host tells which is asked. */
type TwoLibraries = {
  app: Hono
  environments: Two<Environment>
  /** Their administrators’, each only of one. */
  tokens: Two<string>
  /** Whoever has this token, at the host of the first or second library. */
  at(library: 0 | 1, token: string | null): Client
  /** Their administrators at their own hosts. */
  admins: Two<Client>
}

export function describeTwoLibraries(name: string, body: (two: TwoLibraries) => void): void {
  describe.skipIf(!isEngineReachable())(`${name} (${testEngine})`, () => {
    const two = {} as TwoLibraries
    let close = async () => {}
    beforeAll(async () => {
      const opened = await open()
      close = opened.close
      Object.assign(two, opened.two)
    })
    afterAll(() => close())
    body(two)
  })
}

async function open(): Promise<{ two: TwoLibraries; close(): Promise<void> }> {
  const storage = await emptyStorage()
  const { databaseUrl } = storage.settings
  // Few, so that each was the other’s a moment ago.
  const connections = databaseUrl === null ? null : openConnections(databaseUrl, { most: 3 })
  const one = await seeded(storage.settings, connections, 1)
  const other = await seeded(storage.settings, connections, 2)
  const environments = [one.environment, other.environment] as const
  const app = createApp({
    environments,
    logger: pino({ level: 'silent' }),
    now: () => now,
    checkAnswers: true,
    publicUrl: `https://${hosts[0]}`,
    metrics: { metrics: openMetrics(servedBy(environments)), token: metricsToken },
  })
  const at: TwoLibraries['at'] = (library, token) => clientOf(app, token, hosts[library])
  const tokens = [one.token, other.token] as const
  return {
    two: { app, environments, tokens, at, admins: [at(0, tokens[0]), at(1, tokens[1])] },
    close: async () => {
      for (const environment of environments) await environment.close()
      await connections?.end()
      await storage.drop()
    },
  }
}

type Settings = Awaited<ReturnType<typeof emptyStorage>>['settings']

async function seeded(settings: Settings, connections: Connections | null, id: 1 | 2) {
  const place = connections ? { ...settings, connections } : settings
  const { db, close } = await openEnvironment(place, id)
  await seedEnvironment(db, adminPassword)
  await seedTestLibrary(db)
  const token = await openSession(db, { at: now })
  await db
    .updateTable('environment')
    .set({ hosts: [`pret${id}.fr`] })
    .execute()
  // Hosts are read as it opens.
  await close()
  return { environment: await openEnvironment(place, id), token }
}
