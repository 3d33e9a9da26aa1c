import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { mostReceipts } from '../../src/contract/snapshot.ts'
import { openEnvironment } from '../../src/server/db/environments/environment.ts'
import { openMachines } from '../../src/server/db/connections/machines.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { seedTestLibrary } from '../support/test-library.ts'
import { canRunPostgres, openOwnPostgres, openStandby } from './own-postgres.ts'
import { askUntil, deskAt, startProduct } from './product.ts'
import { randomOf } from './random.ts'
import { addCopiesToLend, type Confirmed, expectAllOnce, lendAndTakeBack } from './steady-desk.ts'

if (!canRunPostgres)
  process.stdout.write('failover: initdb and pg_ctl are not on this machine, its tests are not run\n')

const deviceCount = 20
const seeds = Array.from({ length: Number(process.env['FAILOVERS'] ?? '1') }, (_, at) =>
  Number(process.env['FAULT_SEED'] ?? 1 + at),
)

const settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  max_connections: '60',
  fsync: 'off',
}

async function openPair(isSynchronous: boolean) {
  const primary = await openOwnPostgres(settings)
  onTestFinished(() => primary.drop())
  const dataDir = await mkdtemp(join(tmpdir(), 'comptoir-failover-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const environment = await openEnvironment({ dataDir, databaseUrl: primary.addressOf('postgres') }, 1)
  const { db } = environment
  await seedEnvironment(db, 'mot-de-passe-admin')
  await seedTestLibrary(db)
  const firstCopy = await addCopiesToLend(db)
  await environment.close()
  const standby = await openStandby(primary, 'second')
  onTestFinished(() => standby.drop())
  const master = new pg.Client(primary.addressOf('postgres'))
  await master.connect()
  if (isSynchronous) {
    await master.query(`alter system set synchronous_standby_names = 'second'`)
    await master.query('select pg_reload_conf()')
  }
  const wanted = isSynchronous ? 'sync' : 'async'
  await expect
    .poll(async () => (await master.query('select sync_state from pg_stat_replication')).rows)
    .toEqual([{ sync_state: wanted }])
  await master.end()
  const databaseUrl = `postgres://postgres@${primary.host},${standby.host}/postgres?target_session_attrs=read-write`
  return { primary, standby, dataDir, databaseUrl, firstCopy }
}

describe.skipIf(!canRunPostgres)('the machine of the database is lost', () => {
  it.each(seeds)(
    'and its synchronous standby goes on, nothing lost and nothing twice (seed %i)',
    async (seed) => {
      const random = randomOf(seed)
      const { primary, standby, dataDir, databaseUrl, firstCopy } = await openPair(true)
      const product = await startProduct({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
      onTestFinished(async () => void (await product.end('SIGKILL')))
      const desk = await deskAt(product.address)
      const confirmed: (Confirmed & { at: number })[] = []
      const over = new AbortController()
      const devices = Array.from({ length: deviceCount }, (_, at) =>
        lendAndTakeBack(desk, {
          first: firstCopy + at,
          step: deviceCount,
          until: over.signal,
          confirm: (done) => confirmed.push({ ...done, at: performance.now() }),
        }),
      )
      const enough = async (count: number) => {
        const target = confirmed.length + count
        await expect.poll(() => confirmed.length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(target)
      }
      await enough(random.between(60, 400))
      await primary.kill()
      await standby.promote()
      const promoted = performance.now()
      await enough(100)
      over.abort()
      await Promise.all(devices)
      const back = confirmed.find(({ at }) => at > promoted)
      process.stdout.write(
        `failover, seed ${seed}: in service ${((back!.at - promoted) / 1000).toFixed(1)} s after the promotion, ${confirmed.length} actions confirmed\n`,
      )
      await product.end('SIGTERM')

      const environment = await openEnvironment({ dataDir, databaseUrl: standby.addressOf('postgres') }, 1)
      onTestFinished(() => environment.close())
      await expectAllOnce(environment.db, firstCopy, confirmed)
    },
  )

  it('and what its asynchronous standby never had is told, key by key', async () => {
    const { primary, standby, dataDir, databaseUrl, firstCopy } = await openPair(false)
    const product = await startProduct({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl })
    onTestFinished(async () => void (await product.end('SIGKILL')))
    const desk = await deskAt(product.address)
    const confirmed: Confirmed[] = []
    const over = new AbortController()
    const devices = Array.from({ length: deviceCount }, (_, at) =>
      lendAndTakeBack(desk, {
        first: firstCopy + at,
        step: deviceCount,
        until: over.signal,
        confirm: (done) => confirmed.push(done),
      }),
    )
    const enough = async (count: number) => {
      const target = confirmed.length + count
      await expect.poll(() => confirmed.length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(target)
    }
    await enough(100)
    // Its network is cut for a moment, and the primary dies in that moment.
    await standby.stop()
    await enough(60)
    over.abort()
    await Promise.all(devices)
    await primary.kill()
    await standby.start()
    await standby.promote()

    const lost: string[] = []
    for (let at = 0; at < confirmed.length; at += mostReceipts) {
      const keys = confirmed.slice(at, at + mostReceipts).map(({ key }) => key)
      const said = await askUntil(
        () => desk.get(`/api/snapshot/lost_receipts?keys=${keys.join(',')}`),
        ({ status }) => status === 200,
      )
      lost.push(...(said.body as { keys: string[] }).keys)
    }
    // The server that went on gives nobody the numbers of what is lost.
    const next = await askUntil(
      () => desk.lend(randomUUID(), 1, firstCopy + 3999),
      ({ status }) => status !== 0 && status < 500,
    )
    expect(next.status).toBe(201)
    expect(next.body.id).toBeGreaterThan(Math.max(...confirmed.map(({ loan }) => loan)))
    await product.end('SIGTERM')
    const environment = await openEnvironment({ dataDir, databaseUrl: standby.addressOf('postgres') }, 1)
    onTestFinished(() => environment.close())
    const { rows } = await sql<{ id: number; status: string; loan_key: string }>`
      select id, status, loan_key from loanings where copy >= ${firstCopy}`.execute(environment.db)
    const isThere = ({ kind, key, loan }: Confirmed) =>
      rows.some((row) =>
        kind === 'lend' ? row.loan_key === key : row.id === loan && row.status === 'finished',
      )
    expect(lost).toEqual(confirmed.filter((one) => !isThere(one)).map(({ key }) => key))
    expect(lost.length).toBeGreaterThan(50)
    process.stdout.write(
      `asynchronous standby: ${lost.length} of ${confirmed.length} confirmed actions lost and named\n`,
    )
  })

  it('and once it comes back as it was, who starts anew still goes to the one that took its place', async () => {
    const { primary, standby, databaseUrl } = await openPair(false)
    await primary.stop()
    await standby.promote()
    await primary.start()
    expect(await openMachines(databaseUrl).writable()).toContain(standby.host)
  })
})
