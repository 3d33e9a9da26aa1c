import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Hono } from 'hono'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { bindings, createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environment.ts'
import { openLiveChanges } from '../../src/server/events/live-changes.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { furnishEnvironment } from '../../src/server/furnish-environment.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { adminPassword, furnishTestLibrary } from '../support/test-library.ts'

vi.setConfig({ testTimeout: 120_000 })

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
    const send = (
      host: string,
      { method, path }: Pick<(typeof asked)[number][1], 'method' | 'path'>,
      { token = tokens[0], id = 1 }: { token?: string | undefined; id?: number } = {},
    ) =>
      app.request(path.replaceAll(/\{\w+\}/g, String(id)), {
        method,
        headers: {
          host,
          authorization: `Bearer ${token}`,
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

    it('never read there what only the first one has, by any id or list', async () => {
      const [first, second] = environments
      const marker = 'Dupuis-Marqueur-Unique'
      const { id: only } = await first!.db
        .insertInto('beneficiaries')
        .values({ matricule: marker, lastname: marker })
        .returning('id')
        .executeTakeFirstOrThrow()
      await first!.db.updateTable('users').set({ lastname: marker }).where('id', '=', 1).execute()
      const told = async (host: string, token: string | undefined) => {
        const telling: string[] = []
        for (const [name, endpoint] of asked.filter(([, { method }]) => method === 'GET')) {
          const answer = await send(host, endpoint, { token, id: only })
          // A stream has no end to wait for, and is told below.
          if (answer.headers.get('content-type')?.startsWith('text/event-stream')) await answer.body?.cancel()
          else if ((await answer.text()).includes(marker)) telling.push(name)
        }
        return new Set(telling)
      }
      expect((await told('pret1.fr', tokens[0])).size).toBeGreaterThan(5)
      expect(await told('pret2.fr', tokens[1])).toEqual(new Set())
      expect(
        await second!.db.selectFrom('beneficiaries').select('id').where('id', '=', only).execute(),
      ).toEqual([])
    })

    it('hear nothing of what changes there', async () => {
      const [first, second] = environments
      const live = openLiveChanges(pino({ level: 'silent' }))
      const opened = []
      const heard: [string, string][] = []
      for (const [name, environment] of [
        ['first', first!],
        ['second', second!],
      ] as const) {
        const body = (await live.feedOf(environment).open(Buffer.from(name), null))!
        opened.push(
          (async () => {
            for await (const chunk of body) heard.push([name, Buffer.from(chunk).toString()])
          })(),
        )
      }
      const changesOf = (name: string) =>
        heard.filter(([who, text]) => who === name && text.includes('beneficiaries'))
      const change = async (environment: Environment, matricule: string) => {
        const now = new Date().toISOString()
        await environment.db
          .insertInto('audit_journal')
          .values({
            at: now,
            action: 'beneficiary.create',
            entity: 'beneficiaries',
            entity_id: 1,
            user_id: 1,
          })
          .execute()
        live.ring(environment)
        return matricule
      }
      await change(first!, 'A1')
      await expect.poll(() => changesOf('first').length).toBeGreaterThan(0)
      expect(changesOf('second')).toEqual([])
      // It hears its own, and so would have heard.
      await change(second!, 'A2')
      await expect.poll(() => changesOf('second').length).toBeGreaterThan(0)
      live.close()
      await Promise.all(opened)
    })

    it('find no file of another', async () => {
      await mkdir(join(environments[0]!.files, 'images'), { recursive: true })
      await writeFile(join(environments[0]!.files, 'images', 'marque.png'), 'marque')
      for (const path of ['/images/marque.png', '/environments/1/images/marque.png'] as const) {
        const answer = await send('pret2.fr', { method: 'GET', path }, { token: tokens[1] })
        expect(answer.status).toBe(404)
      }
    })

    it('are another matter at their own host', async () => {
      const me = asked.find(([name]) => name === 'GET /api/users/me')!
      expect((await send('pret1.fr', me[1])).status).toBe(200)
      expect((await send('pret2.fr', me[1])).status).toBe(401)
    })
  },
)
