import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { openLiveChanges } from '../../src/server/events/live-changes.ts'
import { testEngine } from '../support/databases.ts'
import { type Client, clientOf, describeServer } from '../support/test-server.ts'
import { hear, streamOf, type TestStream } from './open-stream.ts'
import { openSession } from '../support/open-session.ts'

const logger = pino({ level: 'silent' })
/** Looks that nobody rings for do not come within a test: what is told was heard. */
const never = 1_000_000

/** Two servers are two handles on one PostgreSQL; the embedded engine has one process. */
describeServer('several servers', (server) => {
  const test = testEngine === 'postgres' ? it : it.skip
  const environments: Environment[] = []
  let biblio: Client
  const open: TestStream[] = []
  const listen = async (...given: Parameters<typeof streamOf>) => {
    const stream = await streamOf(...given)
    open.push(stream)
    return stream
  }
  /** Another server of the same database. */
  const startServer = async (times: Parameters<typeof openLiveChanges>[1], id = 1) => {
    const { dataDir, databaseUrl } = server.storage
    const environment = await openEnvironment({ dataDir, databaseUrl }, id)
    environments.push(environment)
    const live = openLiveChanges(logger, times)
    return {
      environment,
      app: createApp({ environments: [environment], logger, live, now: () => server.now }),
    }
  }
  const listening = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`.execute(
      server.db,
    )
    return rows.map(({ pid }) => pid)
  }

  beforeAll(async () => {
    biblio = await server.as('biblio')
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.close()
    await expect.poll(listening).toEqual([])
  })
  afterAll(async () => {
    for (const environment of environments) await environment.close()
  })

  test('tell each other’s changes as they are committed', async () => {
    const other = await startServer({ look: never, lookDeaf: never })
    const stream = await listen(other.app, biblio.token)
    await stream.next()
    await expect.poll(listening).toHaveLength(1)
    for (const copy of [1, 2, 3]) {
      expect((await biblio.post('/api/loanings', { beneficiary: 1, copy })).status).toBe(201)
      await hear(stream, 'loanings')
    }
  })

  test('take a cursor that another gave', async () => {
    const other = await startServer({})
    const here = await listen(server.app, biblio.token)
    const { id } = await here.next()
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 4 })
    const there = await listen(other.app, biblio.token, id)
    expect((await there.next()).event.resources).toContain('loanings')
  })

  test('listen again when the connection that listens is lost, and miss nothing of the time between', async () => {
    const other = await startServer({ look: never, lookDeaf: never })
    const stream = await listen(other.app, biblio.token)
    await stream.next()
    await expect.poll(listening).toHaveLength(1)
    const [pid] = await listening()
    await sql`select pg_terminate_backend(${pid})`.execute(server.db)
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 5 })
    await hear(stream, 'loanings')
    await expect.poll(async () => (await listening()).filter((one) => one !== pid)).toHaveLength(1)
    await biblio.post('/api/loanings/return', { bar_code: '1005' })
    await hear(stream, 'loanings')
  })

  test('find what a server committed and did not live to say', async () => {
    const other = await startServer({ look: 50 })
    const stream = await listen(other.app, biblio.token)
    await stream.next()
    await sql`insert into audit_journal (at, action, entity) values (now(), 'loan.lend', 'loanings')`.execute(
      server.db,
    )
    await hear(stream, 'loanings')
  })

  test('tell a change that ends after later ones, once it ends', async () => {
    const other = await startServer({ look: 50 })
    const stream = await listen(other.app, biblio.token)
    await stream.next()
    const write = (entity: string) =>
      sql`insert into audit_journal (at, action, entity) values (now(), 'thing.change', ${entity})`
    let end = () => undefined as void
    const mayEnd = new Promise<void>((resolve) => {
      end = resolve
    })
    let begin = () => undefined as void
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const slow = server.db.transaction().execute(async (trx) => {
      await write('early').execute(trx)
      begin()
      await mayEnd
    })
    await begun
    await write('late').execute(server.db)
    const first = await stream.next()
    expect(first.event).toEqual({ resources: ['late'] })
    end()
    await slow
    expect((await stream.next()).event).toEqual({ resources: ['early'] })
    const caughtUp = await listen(other.app, biblio.token, first.id)
    expect((await caughtUp.next()).event).toEqual({ resources: ['early'] })
  })

  test('say nothing of another environment on the same database', async () => {
    const other = await startServer({}, 2)
    await seedEnvironment(other.environment.db, 'mot-de-passe-admin')
    const token = await openSession(other.environment.db, { at: server.now })
    const theirs = await listen(other.app, token)
    const ours = await listen(server.app, biblio.token)
    await Promise.all([theirs.next(), ours.next()])
    await biblio.post('/api/loanings', { beneficiary: 2, copy: 6 })
    await hear(ours, 'loanings')
    const admin = clientOf(other.app, token)
    const { body } = await admin.get('/api/parameters?limit=100')
    const { id } =
      (body['hydra:member'] as { id: number; code: string }[]).find(({ code }) => code === 'work_council') ??
      {}
    expect((await admin.put(`/api/parameters/${id}`, { value: 'Ailleurs' })).status).toBe(200)
    expect((await theirs.next()).event).toEqual({ resources: ['parameters'] })
    expect(ours.raw).not.toContain('parameters')
  })
})
