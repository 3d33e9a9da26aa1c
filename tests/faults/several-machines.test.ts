import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { listSchemas } from '../../src/server/db/environments/list-environments.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { type Cluster, hasCitus, openCluster } from '../citus/cluster.ts'
import { newDevice, refresh } from '../snapshot/device.ts'
import { on } from '../support/distributed-databases.ts'
import { seedTestLibrary, testPassword } from '../support/test-library.ts'
import { type Client, clientOf } from '../support/test-server.ts'
import type { Reply } from './product.ts'
import { addCopiesToLend, type Confirmed, expectAllOnce, lendAndTakeBack } from './steady-desk.ts'

if (!hasCitus)
  process.stdout.write('several machines: Citus is not installed beside PostgreSQL, its tests are NOT RUN\n')

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const ids = [1, 2, 3]
const devicesOfEach = 4

describe.skipIf(!hasCitus)('libraries on several machines', () => {
  let cluster: Cluster
  let dataDir: string
  /** Of each library, the first of the copies that nobody has lent yet. */
  const nextCopies = new Map<number, number>()
  const settings = () => ({ dataDir, databaseUrl: cluster.asked.addressOf('postgres') })
  const ask = <R extends object>(statement: string) =>
    on<R>(cluster.asked.addressOf('postgres'), 'postgres', [statement])
  const placeOf = async (id: number): Promise<string | undefined> => {
    const [found] = await ask<{ place: string }>(
      `select distinct nodename || ':' || nodeport as place from citus_shards where table_name = 'env_${id}.loanings'::regclass`,
    )
    return found?.place
  }

  beforeAll(async () => {
    cluster = await openCluster()
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-machines-'))
    for (const id of ids) {
      const environment = await openEnvironment(settings(), id)
      const { db } = environment
      await seedEnvironment(db, 'mot-de-passe-admin')
      await seedTestLibrary(db)
      await db
        .updateTable('environment')
        .set({ hosts: [`pret${id}.fr`] })
        .execute()
      nextCopies.set(id, await addCopiesToLend(db))
      await environment.close()
    }
  })
  afterAll(async () => {
    await cluster?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function openAll() {
    const environments: Environment[] = []
    onTestFinished(async () => {
      for (const environment of environments) await environment.close()
    })
    for (const id of ids) environments.push(await openEnvironment(settings(), id))
    const app = createApp({ environments, logger: pino({ level: 'silent' }), checkAnswers: true })
    return { environments, app }
  }

  it('lie on the workers, each whole on one', async () => {
    const places = await Promise.all(ids.map(placeOf))
    expect(new Set(places)).toEqual(new Set(cluster.workers.map(({ host }) => host)))
  })

  it('are not made where a machine refuses their triggers, which is said', async () => {
    const [worker] = cluster.workers
    const onWorker = (statement: string) =>
      on(worker?.addressOf('postgres') ?? '', 'postgres', [
        'set citus.enable_ddl_propagation to off',
        statement,
      ])
    await onWorker('alter database postgres set citus.enable_unsafe_triggers to off')
    await expect(openEnvironment(settings(), 9)).rejects.toThrow(
      `Citus refuse les déclencheurs des tables sur ${worker?.host}`,
    )
    await onWorker('alter database postgres reset citus.enable_unsafe_triggers')
    await ask('drop schema env_9 cascade')
  })

  /** Devices lend and take back in all three until they are told to end. */
  async function putToWork({ environments, app }: Awaited<ReturnType<typeof openAll>>) {
    const over = new AbortController()
    const confirmed = new Map<number, (Confirmed & { at: number })[]>(ids.map((id) => [id, []]))
    const devices: Promise<void>[] = []
    for (const id of ids) {
      const desk = deskOf(await biblioOf(app, id))
      for (let device = 0; device < devicesOfEach; device += 1)
        devices.push(
          lendAndTakeBack(desk, {
            first: (nextCopies.get(id) ?? 0) + device,
            step: devicesOfEach,
            until: over.signal,
            confirm: (done) => confirmed.get(id)?.push({ ...done, at: performance.now() }),
          }),
        )
    }
    const working = Promise.all(devices)
    let isRefused = false
    working.catch(() => {
      isRefused = true
    })
    return {
      confirmed,
      /** Waits until devices of each of these were told of so many more actions. */
      enough: async (more: number, of: readonly number[] = ids) => {
        const fewest = () => Math.min(...of.map((id) => confirmed.get(id)?.length ?? 0))
        const target = fewest() + more
        await expect
          .poll(() => (isRefused ? Infinity : fewest()), { timeout: 240_000, interval: 20 })
          .toBeGreaterThan(target)
      },
      /** All that was confirmed is there once, and is counted once. */
      end: async () => {
        over.abort()
        await working
        for (const [at, id] of ids.entries()) {
          const done = confirmed.get(id) ?? []
          const environment = environments[at]
          if (environment) await expectAllOnce(environment.db, nextCopies.get(id) ?? 0, done)
          nextCopies.set(id, 1 + Math.max(...done.map(({ copy }) => copy)))
        }
      },
      /** The longest that devices of a library were told nothing, in seconds. */
      longestWait: (id: number, since: number): string => {
        const times = [since, ...(confirmed.get(id) ?? []).flatMap(({ at }) => (at > since ? [at] : []))]
        const gaps = times.slice(1).map((at, n) => at - (times[n] ?? at))
        return (Math.max(...gaps) / 1000).toFixed(1)
      },
    }
  }

  it('lend and take back while one of them moves: all that was confirmed is there, once, and is counted once', async () => {
    const { environments, app } = await openAll()
    const work = await putToWork({ environments, app })
    const tablet = newDevice()
    const [before] = await refresh(await biblioOf(app, 1), tablet)
    expect(before?.reset).toBe(true)
    await work.enough(40)
    const place = await placeOf(1)
    const other = cluster.workers.find(({ host }) => host !== place)
    const began = performance.now()
    await ask(
      `select citus_schema_move('env_1', '${other?.host.split(':')[0]}', ${other?.host.split(':')[1]}, 'block_writes')`,
    )
    const took = ((performance.now() - began) / 1000).toFixed(1)
    expect(await placeOf(1)).toBe(other?.host)
    await work.enough(40)
    await work.end()
    // Its cursor was of the other machine's transactions.
    const client = await biblioOf(app, 1)
    expect((await refresh(client, tablet))[0]?.reset).toBe(true)
    expect((await client.put('/api/beneficiaries/1', { message: 'Après' })).status).toBe(200)
    await expect
      .poll(async () => {
        const [page] = await refresh(client, tablet)
        return [page?.reset, tablet.beneficiaries.get(1)?.message]
      })
      .toEqual([false, 'Après'])
    const done = ids.map((id) => work.confirmed.get(id)?.length).join(', ')
    process.stdout.write(
      `Citus ${cluster.version}: ${done} actions confirmed in three libraries; one moved meanwhile in ${took} s, and its devices waited ${work.longestWait(1, began)} s at most\n`,
    )
  })

  it('lend and take back while a worker is killed: the others go on, and all that was confirmed is there, once', async () => {
    const { environments, app } = await openAll()
    const work = await putToWork({ environments, app })
    const worker = cluster.workers[0]
    const places = new Map(await Promise.all(ids.map(async (id) => [id, await placeOf(id)] as const)))
    const others = ids.filter((id) => places.get(id) !== worker?.host)
    expect(others.length).toBeLessThan(ids.length)
    await work.enough(20)
    await worker?.crash()
    await work.enough(40, others)
    await worker?.start()
    await work.enough(20)
    await work.end()
  })

  it('are at work on one worker while another is stopped, which is said, and all are when it is back', async () => {
    const { app } = await openAll()
    const worker = cluster.workers.find(({ host }) => host !== undefined)
    const places = new Map(await Promise.all(ids.map(async (id) => [id, await placeOf(id)] as const)))
    const lost = ids.filter((id) => places.get(id) === worker?.host)
    const others = ids.filter((id) => !lost.includes(id))
    expect(lost.length * others.length).toBeGreaterThan(0)
    const healthOf = async (id: number) =>
      (await clientOf(app, null).get('/health', { headers: host(id) })).status
    const ground = await openEnvironment(settings(), others[0] ?? 1)
    onTestFinished(() => ground.close())
    await worker?.restart('immediate')
    await worker?.stop()
    await expect.poll(() => healthOf(lost[0] ?? 0)).toBe(503)
    expect(await Promise.all(others.map(healthOf))).toEqual(others.map(() => 200))
    const known = await listSchemas(ground.db, ids)
    expect(known.filter(({ isSilent }) => isSilent).map(({ id }) => id)).toEqual(lost)
    await worker?.start()
    await expect.poll(() => Promise.all(ids.map(healthOf)), { timeout: 60_000 }).toEqual(ids.map(() => 200))
  })
})

const host = (id: number) => ({ host: `pret${id}.fr` })

async function biblioOf(app: ReturnType<typeof createApp>, id: number): Promise<Client> {
  const { status, body } = await clientOf(app, null).post(
    '/api/login_check',
    { username: `biblio@${id}`, password: testPassword },
    { headers: host(id) },
  )
  expect(status).toBe(200)
  const client = clientOf(app, body.token as string)
  const here = (options: Parameters<Client['get']>[1]) => ({
    ...options,
    headers: { ...host(id), ...options?.headers },
  })
  return {
    ...client,
    get: (path, options) => client.get(path, here(options)),
    put: (path, sent, options) => client.put(path, sent, here(options)),
    post: (path, sent, options) => client.post(path, sent, here(options)),
  }
}

function deskOf(client: Client) {
  const send = async (path: string, body: object, key: string): Promise<Reply> => {
    const { status, body: answered, headers } = await client.post(path, body, { key })
    return { status, body: answered, retryAfter: headers.get('retry-after') }
  }
  return {
    lend: (key: string, beneficiary: number, copy: number) =>
      send('/api/loanings', { beneficiary, copy }, key),
    giveBack: (key: string, loan: number) => send(`/api/loanings/${loan}/return`, {}, key),
  }
}
