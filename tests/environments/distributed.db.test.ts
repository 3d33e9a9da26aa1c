import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import type { Reply } from '../faults/product.ts'
import { addCopiesToLend, type Confirmed, expectAllOnce, lendAndTakeBack } from '../faults/steady-desk.ts'
import { isEngineReachable, testEngine } from '../support/databases.ts'
import { seedTestLibrary, testPassword } from '../support/test-library.ts'
import { type Client, clientOf } from '../support/test-server.ts'
import { type DistributedDatabase, openDistributedDatabase } from './distributed-database.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const ids = [1, 2, 3]
const devicesOfEach = 4

/** `npm run check:citus` runs it on a distributed engine; everywhere else it is several libraries at work on one PostgreSQL. */
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('libraries on several machines', () => {
  let database: DistributedDatabase
  const firstCopies = new Map<number, number>()

  beforeAll(async () => {
    database = await openDistributedDatabase()
    for (const id of ids) {
      const environment = await openEnvironment(id === 1 ? database.settings : database.distributing, id)
      const { db } = environment
      await seedEnvironment(db, 'mot-de-passe-admin')
      await seedTestLibrary(db)
      await db
        .updateTable('environment')
        .set({ hosts: [`pret${id}.fr`] })
        .execute()
      firstCopies.set(id, await addCopiesToLend(db))
      await environment.close()
    }
    await database.distribute('env_1')
  })
  afterAll(async () => database?.drop())

  it('lend and take back while one of them is moved: all that was confirmed is there, once', async () => {
    const environments: Environment[] = []
    onTestFinished(async () => {
      for (const environment of environments) await environment.close()
    })
    for (const id of ids) environments.push(await openEnvironment(database.settings, id))
    const app = createApp({ environments, logger: pino({ level: 'silent' }), checkAnswers: true })
    const over = new AbortController()
    const confirmed = new Map<number, Confirmed[]>(ids.map((id) => [id, []]))
    const devices: Promise<void>[] = []
    for (const id of ids) {
      const desk = deskOf(clientOf(app, await tokenOf(clientOf(app, null), id)), id)
      for (let device = 0; device < devicesOfEach; device += 1)
        devices.push(
          lendAndTakeBack(desk, {
            first: (firstCopies.get(id) ?? 0) + device,
            step: devicesOfEach,
            until: over.signal,
            confirm: (done) => confirmed.get(id)?.push(done),
          }),
        )
    }
    const working = Promise.all(devices)
    let isRefused = false
    working.catch(() => {
      isRefused = true
    })
    const fewest = () => Math.min(...[...confirmed.values()].map(({ length }) => length))
    const enough = async (more: number) => {
      const target = fewest() + more
      await expect
        .poll(() => (isRefused ? Infinity : fewest()), { timeout: 240_000, interval: 20 })
        .toBeGreaterThan(target)
    }
    await enough(40)
    const place = await database.move('env_1')
    await enough(40)
    over.abort()
    await working
    for (const [at, id] of ids.entries()) {
      const environment = environments[at]
      if (environment) await expectAllOnce(environment.db, firstCopies.get(id) ?? 0, confirmed.get(id) ?? [])
    }
    const counts = ids.map((id) => confirmed.get(id)?.length).join(', ')
    process.stdout.write(
      database.citus === null
        ? `plain PostgreSQL: ${counts} actions confirmed in three libraries; nothing was distributed, nothing moved\n`
        : `Citus ${database.citus}: ${counts} actions confirmed in three distributed libraries; ` +
            `${place === null ? 'there is one machine, nothing moved' : `env_1 was moved to ${place} meanwhile`}\n`,
    )
  })
})

const host = (id: number) => ({ host: `pret${id}.fr` })

async function tokenOf(anonymous: Client, id: number): Promise<string> {
  const { status, body } = await anonymous.post(
    '/api/login_check',
    { username: `biblio@${id}`, password: testPassword },
    { headers: host(id) },
  )
  expect(status).toBe(200)
  return body.token
}

function deskOf(client: Client, id: number) {
  const send = async (path: string, body: object, key: string): Promise<Reply> => {
    const { status, body: answered, headers } = await client.post(path, body, { key, headers: host(id) })
    return { status, body: answered, retryAfter: headers.get('retry-after') }
  }
  return {
    lend: (key: string, beneficiary: number, copy: number) =>
      send('/api/loanings', { beneficiary, copy }, key),
    giveBack: (key: string, loan: number) => send(`/api/loanings/${loan}/return`, {}, key),
  }
}
