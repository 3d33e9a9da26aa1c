import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { createApp } from '../../src/server/app.ts'
import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { hashToken } from '../../src/server/session/find-caller.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { type Answer, type Client, clientOf } from '../support/test-server.ts'
import { canRunPostgres, openOwnPostgres, type OwnPostgres } from './own-postgres.ts'

if (!canRunPostgres)
  process.stdout.write('postgres-faults: initdb and pg_ctl are not on this machine, its tests are not run\n')

const maxConnections = 14

describe.skipIf(!canRunPostgres)('a PostgreSQL that fails', () => {
  let postgres: OwnPostgres
  let environment: Environment
  let biblio: Client
  let dataDir: string
  let copy = 15

  beforeAll(async () => {
    postgres = await openOwnPostgres({
      max_connections: String(maxConnections),
      superuser_reserved_connections: '1',
      // Long enough for a test to close a circle of waits before anybody looks for one.
      deadlock_timeout: '5s',
    })
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-faults-'))
    environment = await openEnvironment({ dataDir, databaseUrl: postgres.addressOf('postgres') }, 1)
    const { db } = environment
    await seedEnvironment(db, 'mot-de-passe-admin')
    await seedTestLibrary(db)
    await sql`update media set max_loaning = null, max_late = null`.execute(db)
    await sql`insert into copies (reference, bar_code, site) select 1, 'X' || n, 1 from generate_series(1, 5000) n`.execute(
      db,
    )
    const token = randomBytes(32).toString('base64url')
    await sql`insert into sessions (token_hash, user_id, created_at, last_used_at)
      select ${hashToken(token)}, id, now(), now() from users where username = 'biblio'`.execute(db)
    const app = createApp({
      environments: [environment],
      logger: pino({ level: 'silent' }),
      checkAnswers: true,
    })
    biblio = clientOf(app, token)
  })
  afterAll(async () => {
    await environment?.close()
    await postgres?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  type Call = { key: string; body: { beneficiary: number; copy: number }; answer: Answer }
  const lend = async (given?: Pick<Call, 'key' | 'body'>): Promise<Call> => {
    if (!given) copy += 1
    const { key, body } = given ?? { key: randomUUID(), body: { beneficiary: 1 + (copy % 2), copy } }
    return { key, body, answer: await biblio.post('/api/loanings', body, { key }) }
  }
  /** The same keys again: what was told done is not done twice, and what was not is done now, or was. */
  const expectOnceEach = async (calls: readonly Call[]) => {
    for (const call of calls) {
      const { answer: again } = await lend(call)
      expect(again.status).toBe(201)
      if (call.answer.status === 201) expect(again.body.id).toBe(call.answer.body.id)
    }
    const copies = calls.map(({ body }) => body.copy)
    const { rows } = await sql<{ loans: number; copies: number; keys: number }>`
      select count(*) as loans, count(distinct l.copy) as copies, count(distinct k.key) as keys
      from loanings l left join idempotency_keys k on k.key = l.loan_key where l.copy = any(${copies})`.execute(
      environment.db,
    )
    expect(rows).toEqual([{ loans: calls.length, copies: calls.length, keys: calls.length }])
  }
  const expectSoftRefusals = (calls: readonly Call[]) => {
    for (const { answer } of calls.filter(({ answer: { status } }) => status !== 201)) {
      expect([answer.status, answer.body.code]).toEqual([503, 503])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  }

  for (const mode of ['fast', 'immediate'] as const) {
    it(`applies each action once through a restart (${mode}) under load`, async () => {
      const calls: Call[] = []
      const over = new AbortController()
      const counter = async () => {
        while (!over.signal.aborted) {
          const call = await lend()
          calls.push(call)
          // What a device does: it waits a moment before it asks again.
          if (call.answer.status !== 201) await new Promise((resolve) => setTimeout(resolve, 20))
        }
      }
      const counters = Array.from({ length: 6 }, counter)
      const enough = async (count: number) => {
        const target = calls.filter(({ answer }) => answer.status === 201).length + count
        while (calls.filter(({ answer }) => answer.status === 201).length < target)
          await new Promise(setImmediate)
      }
      await enough(30)
      await postgres.restart(mode)
      await enough(30)
      over.abort()
      await Promise.all(counters)
      expect(calls.some(({ answer }) => answer.status === 503)).toBe(true)
      expectSoftRefusals(calls)
      await expectOnceEach(calls)
    })
  }

  it('answers 503 while others hold every connection, and serves as soon as one is free', async () => {
    const holders: pg.Client[] = []
    // Whatever comes, those after it find connections.
    onTestFinished(async () => void (await Promise.all(holders.map((client) => client.end()))))
    const holdTheRest = async () => {
      for (;;) {
        const client = new pg.Client({ connectionString: postgres.addressOf('postgres') })
        client.on('error', () => undefined)
        const refusal = await client.connect().then(
          () => null,
          (error: unknown) => error,
        )
        if (refusal !== null) return expect(refusal).toMatchObject({ code: '53300' })
        holders.push(client)
      }
    }
    // The server's own connections are cut too, as on an idle evening, however often it reopens them.
    for (;;) {
      await holdTheRest()
      const [first] = holders
      const { rows } = await first!.query<{ most: number }>(
        `select current_setting('max_connections')::int as most`,
      )
      if (holders.length === rows[0]?.most) break
      await first!.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'comptoir'`,
      )
    }
    const calls = await Promise.all([lend(), lend(), lend()])
    expect(calls.map(({ answer }) => answer.status)).toEqual([503, 503, 503])
    expectSoftRefusals(calls)
    // A busy machine answers late, which counts as yes at first.
    await expect.poll(async () => (await biblio.get('/health')).status).toBe(503)

    await Promise.all(holders.map((client) => client.end()))
    await untilFree(postgres)
    await expectOnceEach(calls)
    // Far more calls at once than connections wait for their turn.
    const many = await Promise.all(Array.from({ length: 80 }, () => lend()))
    expect(many.filter(({ answer }) => answer.status !== 201)).toEqual([])
    await expectOnceEach(many)
  })

  it('does again by itself what a deadlock undid', async () => {
    const { answer } = await lend()
    const { id, copy_id } = { id: answer.body.id as number, copy_id: copy }
    const other = await openClient(postgres)
    await other.query(`set search_path = env_1, public; set deadlock_timeout = '1h'; begin`)
    await other.query('select from loanings where id = $1 for update', [id])
    const key = randomUUID()
    const extension = biblio.post(`/api/loanings/${id}/extend`, { duration_value: 1 }, { key })
    // The call holds the copy and waits for its loan; then the circle is closed.
    await untilWaiting(postgres, extension)
    await other.query('select from copies where id = $1 for update', [copy_id])
    await other.query('commit')
    await other.end()
    const extended = await extension
    expect(extended.status).toBe(200)
    expect(await postgres.log()).toContain('deadlock detected')
    const again = await biblio.post(`/api/loanings/${id}/extend`, { duration_value: 1 }, { key })
    expect(again.body).toEqual(extended.body)
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from audit_journal where idempotency_key = ${key}`.execute(environment.db)
    expect(rows).toEqual([{ n: 1 }])
  })

  it('does again by itself what a serialisation failure undid', async () => {
    await onPostgres(postgres, `alter database postgres set default_transaction_isolation = 'serializable'`)
    await onPostgres(
      postgres,
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'comptoir'`,
    )
    // The server has noticed, and begins anew.
    await expect
      .poll(async () => {
        const { rows } = await sql<{ level: string }>`
          select current_setting('default_transaction_isolation') as level`
          .execute(environment.db)
          .catch(() => ({ rows: [] }))
        return rows[0]?.level
      })
      .toBe('serializable')
    const other = await openClient(postgres)
    await other.query('set search_path = env_1, public; begin')
    await other.query(`update copies set location = null where id = $1`, [copy + 1])
    const lending = lend()
    await untilWaiting(postgres, lending)
    await other.query('commit')
    await other.end()
    const call = await lending
    expect(call.answer.status).toBe(201)
    expect(await postgres.log()).toContain('could not serialize access')
    await expectOnceEach([call])
    await onPostgres(postgres, 'alter database postgres reset default_transaction_isolation')
  })
})

async function openClient(postgres: OwnPostgres): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.addressOf('postgres') })
  await client.connect()
  return client
}

async function onPostgres(postgres: OwnPostgres, statement: string): Promise<pg.QueryResult> {
  const client = await openClient(postgres)
  return client.query(statement).finally(() => client.end())
}

/** Until a call of the server waits for somebody's row; throws where it is answered without. */
async function untilWaiting(postgres: OwnPostgres, call: Promise<unknown>): Promise<void> {
  let isAnswered = false
  void call.finally(() => (isAnswered = true))
  const client = await openClient(postgres)
  const waiting = `select 1 from pg_stat_activity where application_name = 'comptoir' and wait_event_type = 'Lock'`
  try {
    while ((await client.query(waiting)).rowCount === 0) {
      if (isAnswered) throw new Error('the call was answered without waiting')
      await new Promise(setImmediate)
    }
  } finally {
    await client.end()
  }
}

/** Until the connections that were closed are given back: their processes end a moment after. */
async function untilFree(postgres: OwnPostgres): Promise<void> {
  const client = await openClient(postgres)
  const others = `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'comptoir'`
  while ((await client.query(others)).rowCount !== 0) await new Promise(setImmediate)
  await client.end()
}
