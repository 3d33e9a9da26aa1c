import { randomBytes } from 'node:crypto'

import type { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { bindings, createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environment.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { furnishEnvironment } from '../../src/server/furnish-environment.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { adminPassword, furnishTestLibrary } from '../support/test-library.ts'

/** A call with ids that both environments have, under a key that both were given. */
const key = '0b9f5a39-6a3f-4d0e-8c0e-4f2f1f6f3a12'

describe.skipIf(!isEngineReachable())(
  `the calls of one environment at another’s host (${testEngine})`,
  () => {
    const environments: Environment[] = []
    const tokens: string[] = []
    let app: Hono
    let drop: () => Promise<void>

    beforeAll(async () => {
      const storage = await emptyStorage()
      drop = storage.drop
      for (const id of [1, 2]) {
        const furnished = await openEnvironment(storage.settings, id)
        await furnishEnvironment(furnished.db, adminPassword)
        await furnishTestLibrary(furnished.db)
        const token = randomBytes(32).toString('base64url')
        const now = new Date().toISOString()
        await furnished.db
          .insertInto('sessions')
          .values({
            token_hash: hashToken(token),
            user_id: 1,
            created_at: now,
            last_used_at: now,
            device_id: null,
            revoked_at: null,
          })
          .execute()
        await furnished.db
          .updateTable('environment')
          .set({ hosts: [`pret${id}.fr`] })
          .execute()
        await furnished.close()
        environments.push(await openEnvironment(storage.settings, id))
        tokens.push(token)
      }
      app = createApp({ environments, logger: pino({ level: 'silent' }) })
    })
    afterAll(async () => {
      for (const environment of environments) await environment.close()
      await drop()
    })

    const asked = bindings
      .map(({ endpoint }) => endpoint)
      .filter(({ access }) => access !== 'public')
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
    const send = (host: string, { method, path }: (typeof asked)[number][1]) =>
      app.request(path.replaceAll(/\{\w+\}/g, '1'), {
        method,
        headers: {
          host,
          authorization: `Bearer ${tokens[0]}`,
          'idempotency-key': key,
          'content-type': 'application/json',
        },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
    const rowsOf = async (db: Environment['db']) => ({
      journal: await db
        .selectFrom('audit_journal')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .execute(),
      keys: await db
        .selectFrom('idempotency_keys')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .execute(),
    })

    it('are refused for want of a session, every one of them, and leave nothing behind', async () => {
      expect(asked.length).toBeGreaterThan(150)
      const before = await rowsOf(environments[1]!.db)
      const heard: [string, number][] = []
      for (const [name, endpoint] of asked) {
        const answer = await send('pret2.fr', endpoint)
        await answer.body?.cancel()
        heard.push([name, answer.status])
      }
      expect(heard.filter(([, status]) => status !== 401)).toEqual([])
      expect(await rowsOf(environments[1]!.db)).toEqual(before)
    })

    it('are another matter at their own host', async () => {
      const me = asked.find(([name]) => name === 'GET /api/users/me')!
      expect((await send('pret1.fr', me[1])).status).toBe(200)
      expect((await send('pret2.fr', me[1])).status).toBe(401)
    })
  },
)
