import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { openConnections, type Connections } from '../../src/server/db/connections/connections.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import type { Environments } from '../../src/server/db/environments/environments.ts'
import {
  type EnvironmentsTimes,
  openEnvironmentsOnDemand,
} from '../../src/server/db/environments/environments-on-demand.ts'
import { listHere } from '../../src/server/db/environments/list-environments.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { openManager } from '../../src/server/environments/manage-environments.ts'
import { openLiveChanges } from '../../src/server/events/live-changes.ts'
import { startHousekeeping } from '../../src/server/housekeeping/housekeeping.ts'
import { startLoop } from '../../src/server/jobs/background-loop.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'
import { clientOf } from '../support/test-server.ts'

const logger = pino({ level: 'silent' })
const count = 4
const most = 4

/** The embedded engine has one process for each, all open from the start. */
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())(
  'environments that share connections',
  () => {
    let storage: Awaited<ReturnType<typeof emptyStorage>>
    let connections: Connections
    const opened: Environments[] = []

    beforeAll(async () => {
      storage = await emptyStorage()
      connections = openConnections(storage.settings.databaseUrl ?? '', { most })
      for (let id = 1; id <= count; id += 1) {
        const environment = await open(id)
        await seedEnvironment(environment.db, 'mot-de-passe-admin')
        await environment.db
          .updateTable('environment')
          .set({ name: `env ${id}`, hosts: [`pret${id}.fr`] })
          .execute()
        await environment.db
          .updateTable('parameters')
          .set({ value: `Organisation ${id}` })
          .where('code', '=', 'work_council')
          .execute()
        await environment.close()
      }
    })
    afterAll(async () => {
      for (const environments of opened) await environments.close()
      await connections.end()
      await storage.drop()
    })

    const open = (id: number): Promise<Environment> =>
      openEnvironment({ ...storage.settings, connections }, id)
    const serve = async (
      times: Partial<EnvironmentsTimes> = {},
      settings: Partial<Parameters<typeof openEnvironmentsOnDemand>[0]> = {},
    ) => {
      const environments = await openEnvironmentsOnDemand({
        list: () => listHere(connections.ground),
        open,
        isBusy: () => Promise.resolve(false),
        onEvent: () => undefined,
        times,
        ...settings,
      })
      opened.push(environments)
      return environments
    }
    const backends = async () => {
      const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database()`.execute(
        connections.ground,
      )
      return rows[0]?.n ?? 0
    }
    const ids = (environments: Environments) => environments.open.map(({ id }) => id).sort()

    it('opens one when it is first asked for, and knows no other host', async () => {
      const environments = await serve()
      expect(environments.known.map(({ id, hosts }) => [id, ...hosts])).toEqual([
        [1, 'pret1.fr'],
        [2, 'pret2.fr'],
        [3, 'pret3.fr'],
        [4, 'pret4.fr'],
      ])
      const client = clientOf(createApp({ environments, logger, checkAnswers: true }), null)
      const at = (host: string) => client.get('/dns', { headers: { host } })
      expect(ids(environments)).toEqual([])
      expect((await at('PRET3.fr:3000')).body).toEqual({ id: 3, name: 'Organisation 3' })
      expect(ids(environments)).toEqual([3])
      expect((await at('pret9.fr')).status).toBe(421)
      // A balancer asks by the machine's address, and hears of the server as a whole.
      expect((await client.get('/health', { headers: { host: '10.0.0.1' } })).status).toBe(200)
    })

    it('says that it is well before anybody asked for one', async () => {
      const client = clientOf(createApp({ environments: await serve(), logger }), null)
      expect((await client.get('/health', { headers: { host: '10.0.0.1' } })).status).toBe(200)
    })

    it('says that it is well though the first one does not open', async () => {
      const environments = await serve(
        {},
        { open: (id) => (id === 1 ? Promise.reject(new Error('broken')) : open(id)) },
      )
      const client = clientOf(createApp({ environments, logger }), null)
      expect((await client.get('/health', { headers: { host: '10.0.0.1' } })).status).toBe(200)
    })

    it('takes no more connections than it may, whoever asks at once, and mixes nothing up', async () => {
      const environments = await serve()
      const client = clientOf(createApp({ environments, logger }), null)
      const asked = Array.from({ length: 200 }, (_, n) => 1 + (n % count))
      const answers = await Promise.all(
        asked.map((id) => client.get('/dns', { headers: { host: `pret${id}.fr` } })),
      )
      expect(answers.map(({ body }) => body.id)).toEqual(asked)
      const names = await Promise.all(
        asked.map(async (id) => {
          const environment = await environments.at(`pret${id}.fr`)
          const { name } = await environment!.db
            .selectFrom('environment')
            .select('name')
            .executeTakeFirstOrThrow()
          return name
        }),
      )
      expect(names).toEqual(asked.map((id) => `env ${id}`))
      expect(await backends()).toBeLessThanOrEqual(most)
    })

    it('serves a scan of one while another’s long reads take all that they may', async () => {
      const environments = await serve()
      const [busy, calm] = [await environments.at('pret1.fr'), await environments.at('pret2.fr')]
      // They last until the test lets them go.
      const holder = new pg.Client({ connectionString: storage.settings.databaseUrl ?? '' })
      await holder.connect()
      await holder.query('select pg_advisory_lock(4711)')
      const long = Array.from({ length: 6 }, () =>
        sql`select pg_advisory_xact_lock(4711)`.execute(busy!.reads),
      )
      let isOver = false
      const all = Promise.all(long).then(() => (isOver = true))
      await calm!.db.selectFrom('environment').select('id').execute()
      expect(isOver).toBe(false)
      await holder.end()
      await all
    })

    it('closes who is idle, ends their work first, and opens them again', async () => {
      const environments = await serve({ idleMs: 50, lookMs: 20 })
      const looked: number[] = []
      let ended = 0
      const loop = startLoop({
        environments,
        logger,
        pollEvery: 10,
        outOfReach: '',
        look: async ({ id }, stopping) => {
          looked.push(id)
          stopping.addEventListener('abort', () => (ended += 1), { once: true })
        },
      })
      await environments.at('pret1.fr')
      await expect.poll(() => looked.includes(1)).toBe(true)
      await expect.poll(() => ids(environments)).toEqual([])
      expect(ended).toBeGreaterThan(0)
      const again = await environments.at('pret1.fr')
      expect(await again!.db.selectFrom('environment').select('id').execute()).toHaveLength(1)
      await loop.stop()
    })

    it('sweeps who slept when it was due, once they are awake again', async () => {
      const environments = await serve({ idleMs: 50, lookMs: 20 })
      const first = await environments.at('pret2.fr')
      await sql`insert into idempotency_keys (key, user_id, endpoint, request_hash, status, answer, created_at)
        select gen_random_uuid(), id, 'old', ''::bytea, 200, '', now() - interval '400 days' from users limit 1`.execute(
        first!.db,
      )
      const keeping = startHousekeeping(environments, logger, {
        firstAfter: 200,
        every: 3600_000,
        pollEvery: 3600_000,
      })
      await expect.poll(() => ids(environments)).toEqual([])
      const old = async () => {
        const awake = await environments.at('pret2.fr')
        const { rows } = await sql`select from idempotency_keys where endpoint = 'old'`.execute(awake!.db)
        return rows.length
      }
      await expect.poll(old).toBe(0)
      await keeping.stop()
    })

    it('keeps awake who has work to do, and visits who slept a round', async () => {
      const busy = await serve({ idleMs: 20, lookMs: 20 }, { isBusy: () => Promise.resolve(true) })
      await busy.at('pret1.fr')
      const round = await serve({ roundMs: 100, lookMs: 20 })
      await expect.poll(() => ids(round)).toEqual([1, 2, 3, 4])
      expect(ids(busy)).toEqual([1])
    })

    it('lets one fail alone, with a sentence, and opens it once it is mended', async () => {
      let isBroken = true
      const environments = await serve(
        { shutMs: 50 },
        { open: (id) => (id === 2 && isBroken ? Promise.reject(new Error('broken')) : open(id)) },
      )
      const client = clientOf(createApp({ environments, logger }), null)
      const at = (host: string) => client.get('/dns', { headers: { host } })
      const shut = await at('pret2.fr')
      expect([shut.status, shut.body.message]).toEqual([503, expect.stringContaining('ne s’ouvre pas')])
      expect((await at('pret1.fr')).status).toBe(200)
      isBroken = false
      await expect.poll(async () => (await at('pret2.fr')).status).toBe(200)
    })

    it('hears that one was added, has other hosts, or is no more', async () => {
      const environments = await serve({ lookMs: 10 })
      await environments.at('pret4.fr')
      await sql`update env_4.environment set hosts = '{nouveau.fr}'`.execute(connections.ground)
      await environments.refresh()
      expect(await environments.at('pret4.fr')).toBeNull()
      expect((await environments.at('nouveau.fr'))?.id).toBe(4)
      await sql`alter schema env_4 rename to gone_env_4`.execute(connections.ground)
      await environments.refresh()
      await expect.poll(() => ids(environments)).toEqual([])
      await sql`alter schema gone_env_4 rename to env_4`.execute(connections.ground)
    })

    it('reads again what was told while it was reading', async () => {
      const gates: (() => void)[] = []
      let isHeld = false
      const environments = await serve(
        {},
        {
          list: async () => {
            const listed = await listHere(connections.ground)
            if (isHeld) await new Promise<void>((resolve) => gates.push(resolve))
            return listed
          },
        },
      )
      isHeld = true
      const before = environments.refresh()
      await expect.poll(() => gates.length).toBe(1)
      await sql`update env_4.environment set hosts = '{autre.fr}'`.execute(connections.ground)
      const after = environments.refresh()
      isHeld = false
      gates.forEach((open) => open())
      await Promise.all([before, after])
      expect(environments.known.find(({ id }) => id === 4)?.hosts).toEqual(['autre.fr'])
    })

    it('closes the others while one still waits for its work', async () => {
      const environments = await serve({ idleMs: 20, lookMs: 10 })
      let end: () => void = () => undefined
      const stop = environments.attend(({ id }) =>
        id === 1 ? new Promise<void>((resolve) => (end = resolve)) : Promise.resolve(),
      )
      const [slow] = [await environments.at('pret1.fr'), await environments.at('pret2.fr')]
      await expect.poll(() => ids(environments)).toEqual([])
      let isClosed = false
      void slow!.closed.then(() => (isClosed = true))
      await environments.at('pret3.fr')
      await expect.poll(() => ids(environments)).toEqual([])
      expect(isClosed).toBe(false)
      end()
      await slow!.closed
      await stop()
    })

    it('does not visit at once who was just closed', async () => {
      const environments = await serve({ idleMs: 400, visitMs: 400, lookMs: 20, roundMs: 300 })
      const openings: number[] = []
      const stop = environments.attend(async ({ id }) => void openings.push(id))
      await environments.at('pret1.fr')
      await expect.poll(() => ids(environments).includes(1)).toBe(false)
      expect(openings.filter((id) => id === 1)).toHaveLength(1)
      await stop()
    })

    it('ends the pages’ streams of one that closes, so that they come back to the new one', async () => {
      const environment = await open(1)
      const live = openLiveChanges(logger)
      const body = await live.feedOf(environment).open(Buffer.from('une session'), null)
      expect(live.size).toBe(1)
      await environment.close()
      const read = async () => {
        for await (const chunk of body!) expect(chunk.length).toBeGreaterThan(0)
      }
      await read()
      expect(live.size).toBe(0)
    })

    it('gives no new one the number of one whose removal was cut short', async () => {
      await sql`create schema removed_env_7`.execute(connections.ground)
      const manager = openManager({ ...storage.settings, embeddedLimit: 2, publicUrl: 'https://pret.fr' })
      const added = await manager.add({
        name: 'Est',
        hosts: ['pret.est.fr'],
        preset: null,
        firstHosts: [],
        administrator: null,
      })
      expect(added.id).toBe(8)
      await manager.remove(8)
      await manager.remove(7)
      expect((await manager.list()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
      await manager.close()
    })
  },
)
