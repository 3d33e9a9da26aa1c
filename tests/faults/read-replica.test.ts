import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { timelineNow } from '../../src/server/db/past.ts'
import { openReplica } from '../../src/server/db/connections/replica.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import {
  canRunPostgres,
  openOwnPostgres,
  openStandby,
  type OwnPostgres,
  type Standby,
} from './own-postgres.ts'
import { type Desk, deskAt, startProduct } from './product.ts'

if (!canRunPostgres)
  process.stdout.write('read-replica: initdb and pg_ctl are not on this machine, its tests are not run\n')

const key = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

describe.skipIf(!canRunPostgres)('a copy that reads go to', () => {
  let primary: OwnPostgres
  let standby: Standby
  let dataDir: string
  beforeAll(async () => {
    primary = await openOwnPostgres({ max_wal_senders: '4', fsync: 'off' })
    dataDir = await mkdtemp(join(tmpdir(), 'comptoir-faults-'))
    const environment = await openEnvironment({ dataDir, databaseUrl: primary.addressOf('postgres') }, 1)
    await seedEnvironment(environment.db, 'mot-de-passe-admin')
    await seedTestLibrary(environment.db)
    await environment.close()
    standby = await openStandby(primary, 'copy')
  })
  afterAll(async () => {
    await standby?.drop()
    await primary?.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const onCopy = async (statement: string) => {
    const client = new pg.Client({ connectionString: standby.addressOf('postgres') })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(statement).finally(() => client.end())
    return rows
  }
  const timelineOf = async (database: Pick<OwnPostgres, 'addressOf'>) => {
    const client = new pg.Client({ connectionString: database.addressOf('postgres') })
    await client.connect()
    const { rows } = await client
      .query<{ timeline: string }>(`select ${timelineNow} as timeline`)
      .finally(() => client.end())
    return rows[0]?.timeline ?? null
  }
  const figures = async ({ get }: Desk) => {
    const { status, body, stateAt } = await get('/api/stats/loanings')
    expect(status).toBe(200)
    return { loans: (body as unknown as { loans: { now: number } }).loans.now, stateAt }
  }

  it('answers statistics and exports with the time of its state, and no list; without it the database does', async () => {
    const product = await startProduct({
      DATA_DIR: dataDir,
      DATABASE_URL: primary.addressOf('postgres'),
      DATABASE_READ_URL: standby.addressOf('postgres'),
    })
    onTestFinished(async () => void (await product.end('SIGKILL')))
    const desk = await deskAt(product.address)
    expect((await desk.lend(key(1), 1, 1)).status).toBe(201)
    await expect.poll(async () => (await figures(desk)).loans).toBe(1)

    await onCopy('select pg_wal_replay_pause()')
    await expect
      .poll(() => onCopy('select pg_get_wal_replay_pause_state() as state'))
      .toEqual([{ state: 'paused' }])
    const before = Date.now()
    expect((await desk.lend(key(2), 1, 2)).status).toBe(201)
    const told = await figures(desk)
    expect(told.loans).toBe(1)
    // What it does not hold came after the time that it tells.
    expect(Date.parse(told.stateAt ?? '')).toBeLessThanOrEqual(before)
    const list = await desk.get('/api/loanings')
    expect([list.stateAt, Reflect.get(list.body, 'hydra:totalItems')]).toEqual([null, 2])
    const file = await desk.get('/api/export/stats_references?export_type=xlsx')
    expect(file.status).toBe(200)
    expect(Date.parse(file.stateAt ?? '')).toBeLessThanOrEqual(before)

    // Its machine is gone.
    await standby.kill()
    expect(await figures(desk)).toEqual({ loans: 2, stateAt: null })
    // One that was under way just then is passed over.
    const saidAfterRead = async () => {
      await figures(desk)
      return product.said()
    }
    await expect.poll(saidAfterRead).toContain('DATABASE_READ_URL is not read')
  })

  it('is not read where it is further behind than it may be', async () => {
    const troubles: (string | null)[] = []
    const open = (mostBehindMs: number) => {
      const copy = openReplica(primary.addressOf('postgres'), {
        statementTimeoutMs: 10_000,
        mostBehindMs,
        onChange: (trouble) => troubles.push(trouble),
      })
      onTestFinished(() => copy.end())
      return copy.of('env_1', () => timelineOf(primary)).ready()
    }
    expect(await open(60_000)).not.toBeNull()
    expect(await open(-1)).toBeNull()
    expect(troubles).toEqual([])
  })

  it('is not read once it takes writes of its own, however fresh it seems', async () => {
    const other = await openStandby(primary, 'promoted')
    onTestFinished(() => other.drop())
    const troubles: (string | null)[] = []
    const open = (database: Pick<OwnPostgres, 'addressOf'>) => {
      const copy = openReplica(other.addressOf('postgres'), {
        statementTimeoutMs: 10_000,
        onChange: (trouble) => troubles.push(trouble),
      })
      onTestFinished(() => copy.end())
      return copy.of('env_1', () => timelineOf(database)).ready()
    }
    await other.promote()
    expect(await open(primary)).toBeNull()
    expect(troubles).toEqual([expect.stringContaining('no copy of this database')])
    // The database that the product went on with is read as any other.
    expect(await open(other)).not.toBeNull()
  })

  it('is given up where it says nothing any more, and what it was answering with it', async () => {
    const address = new URL(primary.addressOf('postgres'))
    const { port, hostname } = address
    let isGone = false
    const wire = createServer((near) => {
      const far = connect(Number(port), hostname)
      near.on('data', (bytes) => void (isGone || far.write(bytes)))
      far.on('data', (bytes) => void (isGone || near.write(bytes)))
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        one.on('error', () => undefined).on('close', () => other.destroy())
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void wire.close())
    await once(wire, 'listening')
    address.host = `127.0.0.1:${(wire.address() as AddressInfo).port}`
    const troubles: (string | null)[] = []
    const shared = openReplica(address.href, {
      statementTimeoutMs: 600_000,
      onChange: (trouble) => troubles.push(trouble),
    })
    onTestFinished(() => shared.end())
    const [replica, another] = [1, 2].map((id) => shared.of(`env_${id}`, () => timelineOf(primary)))
    const copy = await replica!.ready()
    expect(copy).not.toBeNull()

    isGone = true
    const read = sql`select 1`.execute(copy!.db).then(
      () => 'answered',
      () => 'given up',
    )
    // Whichever library finds out, all of the server pass it over.
    expect(await another!.ready()).toBeNull()
    expect(await read).toBe('given up')
    expect(await replica!.ready()).toBeNull()
    expect(troubles).toEqual([expect.any(String)])
  })
})
