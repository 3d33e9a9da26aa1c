// @vitest-environment node
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { PGlite } from '@electric-sql/pglite'
import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { DurableFileSystem } from '../../src/server/db/engine/durable-file-system.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from '../../src/server/db/engine/embedded-engine.ts'
import { patientName, PostgresWireServer } from '../../src/server/db/engine/postgres-wire-server.ts'
import {
  type EnginePlace,
  exists,
  isRunning,
  locksIn,
  openClient,
  openEnginePlace,
  openPool,
  until,
} from './engine-place.ts'

let place: EnginePlace
let engine: EmbeddedEngine
let pool: Pool

beforeAll(async () => {
  place = await openEnginePlace()
  ;({ engine, pool } = place)
})

afterAll(() => place.drop())

describe('one engine, several connections', () => {
  test('has the four extensions at every opening', async () => {
    await pool.query(
      'create extension pg_trgm; create extension unaccent; create extension btree_gist; create extension citext',
    )
    const { rows } = await pool.query(
      `select unaccent('Éléonore') as plain, similarity('chat', 'chats') > 0.5 as near`,
    )
    expect(rows).toEqual([{ plain: 'Eleonore', near: true }])
    await place.killEngine()
    expect((await pool.query(`select unaccent('été') as plain, 'A'::citext = 'a' as same`)).rows).toEqual([
      { plain: 'ete', same: true },
    ])
  })

  test('loses no increment of fifty transactions at once', async () => {
    await pool.query('create table counter (n int); insert into counter values (0)')
    await Promise.all(
      Array.from({ length: 50 }, () =>
        inTransaction(async (client) => {
          const { rows } = await client.query<{ n: number }>('select n from counter for update')
          await client.query('update counter set n = $1', [(rows[0]?.n ?? 0) + 1])
        }),
      ),
    )
    expect((await pool.query('select n from counter')).rows).toEqual([{ n: 50 }])
  })

  test('does not mix a query that arrives in pieces with another client’s', async () => {
    const large = 'z'.repeat(300_000)
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        i % 2 === 0
          ? pool.query('select $1::int as n', [i])
          : pool.query('select $2::int as n, length($1::text) as size', [large, i]),
      ),
    )
    expect(answers.map(({ rows }) => rows[0].n)).toEqual(answers.map((_, i) => i))
  })

  test('undoes a client that died in its transaction, and goes on for the others', async () => {
    await pool.query('create table half (n int)')
    const client = await openClient(engine.connection)
    await client.query('begin')
    await client.query('insert into half values (1)')
    const waiting = pool.query('select count(*)::int as n from half')
    cut(client)
    expect((await waiting).rows).toEqual([{ n: 0 }])
  })

  test('is sound after an error in a transaction', async () => {
    await expect(inTransaction((client) => client.query('select 1/0'))).rejects.toThrow('division by zero')
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('the disk', () => {
  test('brings every commit to the disk', async () => {
    const copy = await place.freshDirectory()
    const commits = 200
    // Opening and closing synchronise too: what is counted is what the commits add.
    const idle = await syncsFor(copy, 0)
    const busy = await syncsFor(copy, commits)
    const perCommit = (busy - idle) / commits
    process.stdout.write(`${perCommit.toFixed(2)} syncs per commit (${idle} for an opening and a closing)\n`)
    expect(idle).toBeLessThan(100)
    expect(busy).toBeGreaterThanOrEqual(commits)
    expect(perCommit).toBeGreaterThan(0.9)
  })

  test('misses no acknowledged row after three kill -9', { timeout: 60_000 }, async () => {
    await pool.query('create table kept (n int primary key)')
    const acknowledged: number[] = []
    let next = 0
    for (let round = 1; round <= 3; round += 1) {
      const target = acknowledged.length + 60
      await insertUntilDeath(target, () => next++, acknowledged)
      await engine.ready()
    }
    const { rows } = await pool.query<{ n: number }>('select n from kept')
    const found = new Set(rows.map(({ n }) => n))
    expect(acknowledged.length).toBeGreaterThanOrEqual(180)
    expect(acknowledged.filter((n) => !found.has(n))).toEqual([])
  })
})

describe('inside the engine’s process', () => {
  let files: DurableFileSystem
  let inner: PGlite

  beforeAll(async () => {
    files = new DurableFileSystem(join(await place.freshDirectory(), 'postgres'), stopTest)
    inner = await PGlite.create({ fs: files })
  })

  afterAll(() => inner.close())

  test('stops when the disk refuses a sync', () => {
    const { stream_ops } = inner.Module.NODEFS as unknown as { stream_ops: { fsync(stream: object): number } }
    const before = files.syncCount
    expect(() => stream_ops.fsync({ nfd: 999_999 })).toThrow('EBADF')
    expect(files.syncCount).toBe(before)
  })

  test('lets whoever scans go before those who read lists, who are served all the same', async () => {
    const open = (count: number, application_name: string) =>
      Promise.all(Array.from({ length: count }, () => openClient({ ...engine.connection, application_name })))
    const readers = await open(5, patientName)
    const scanners = await open(30, 'comptoir')
    const done: string[] = []
    const longList = 'select count(*) from generate_series(1, 1000000)'
    const all = [
      ...readers.map((client) => client.query(longList).then(() => done.push('list'))),
      ...scanners.map((client) => client.query('select 1').then(() => done.push('scan'))),
    ]
    await Promise.all(all)
    // The list that ran when the scans came, and one after twenty of them.
    const between = done.slice(done.indexOf('scan'), done.lastIndexOf('scan'))
    expect(between.filter((who) => who === 'list').length).toBeGreaterThanOrEqual(1)
    expect(between.filter((who) => who === 'list').length).toBeLessThanOrEqual(2)
    await Promise.all([...readers, ...scanners].map((client) => client.end()))
  })

  test('cuts a transaction that stays silent too long', async () => {
    const server = new PostgresWireServer(inner, stopTest, 50)
    const home = await mkdtemp(join(place.root, 's-'))
    await server.listen(join(home, '.s.PGSQL.5432'))
    const connection = { host: home, port: 5432, user: 'postgres', database: 'postgres' }
    const mute = await openClient(connection)
    await mute.query('begin; create table never (n int)')
    const cutOff = once(mute, 'error')
    const other = await openClient(connection)
    expect((await other.query(`select to_regclass('never') as found`)).rows).toEqual([{ found: null }])
    expect(String(await cutOff)).toContain('idle-in-transaction')
    await server.close()
  })
})

describe('death and restart', () => {
  test('fails the open connections cleanly, and accepts new ones', async () => {
    const client = await openClient(engine.connection)
    const before = engine.pid
    const broken = once(client, 'error')
    await place.killEngine()
    await broken
    await expect(client.query('select 1')).rejects.toThrow('not queryable')
    expect(engine.pid).not.toBe(before)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('dies rather than answer wrong when it loses the thread, and starts again', async () => {
    const before = engine.pid
    const client = await openClient(engine.connection)
    await expect(client.query('copy pg_am from stdin')).rejects.toThrow('unexpected EOF')
    await until(() => engine.pid !== before)
    await engine.ready()
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('tells once that it dies again and again, and stops within its pause', async () => {
    const told: string[] = []
    const other = await startEmbeddedEngine(await place.freshDirectory(), {
      onEvent: ({ level, message }) => told.push(`${level}: ${message.replace(/\d+ ms/, '… ms')}`),
    })
    for (let death = 1; death <= 4; death += 1) {
      const { pid } = other
      process.kill(pid ?? 0, 'SIGKILL')
      await until(() => other.pid !== pid)
      if (death < 4) await other.ready()
    }
    await other.stop()
    await expect(other.ready()).rejects.toThrow('arrêtée')
    expect(told).toEqual([
      'info: Base embarquée ouverte en … ms.',
      'error: La base embarquée s’est arrêtée (SIGKILL) ; elle redémarre.',
      'info: Base embarquée ouverte en … ms.',
      expect.stringMatching(
        /^error: La base embarquée s’arrête à peine rouverte \(SIGKILL\) ; .*, de plus en plus tard/,
      ),
    ])
  })

  test('is not closed by a signal to the group before its server', async () => {
    const before = engine.pid
    process.kill(before ?? 0, 'SIGTERM')
    process.kill(before ?? 0, 'SIGINT')
    await pool.query('select 1')
    expect(engine.pid).toBe(before)
  })

  test('dies with its server, and the directory opens again', async () => {
    const copy = await place.freshDirectory()
    const owner = fork(fileURLToPath(new URL('engine-owner.ts', import.meta.url)), [copy], {
      execArgv: ['--import', 'tsx'],
    })
    const [news] = (await once(owner, 'message')) as [{ connection: PoolConfig; pid: number }]
    const client = await openClient(news.connection)
    await client.query('create table survivor (n int)')
    owner.kill('SIGKILL')
    const reopened = await startEmbeddedEngine(copy)
    const reader = openPool(reopened.connection)
    expect((await reader.query('select count(*)::int as n from survivor')).rows).toEqual([{ n: 0 }])
    await until(() => !isRunning(news.pid))
    expect(await exists(news.connection.host ?? '')).toBe(false)
    await reader.end()
    await reopened.stop()
  })

  test('gives everything back when stopped', async () => {
    const copy = await place.freshDirectory()
    const other = await startEmbeddedEngine(copy)
    const { host } = other.connection
    expect((await stat(host)).mode & 0o777).toBe(0o700)
    const { pid } = other
    await other.stop()
    await expect(other.ready()).rejects.toThrow('arrêtée')
    expect(isRunning(pid ?? 0)).toBe(false)
    expect(await exists(host)).toBe(false)
    expect(await locksIn(copy)).toEqual([])
  })
})

function stopTest(reason: unknown): never {
  throw reason
}

function cut(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
  stream.destroy()
}

async function inTransaction(work: (client: PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** Kills the engine once `target` rows are acknowledged, in the middle of other inserts. */
async function insertUntilDeath(target: number, take: () => number, acknowledged: number[]): Promise<void> {
  let killed = false
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (;;) {
        const n = take()
        try {
          await inTransactionOf(n)
        } catch {
          return
        }
        acknowledged.push(n)
        if (acknowledged.length < target || killed) continue
        killed = true
        process.kill(engine.pid ?? 0, 'SIGKILL')
      }
    }),
  )
}

async function inTransactionOf(n: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('insert into kept values ($1)', [n])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function syncsFor(copy: string, commits: number): Promise<number> {
  let last = ''
  const other = await startEmbeddedEngine(copy, { onEvent: ({ message }) => (last = message) })
  const client = await openClient(other.connection)
  await client.query('create table if not exists synced (n int)')
  for (let n = 0; n < commits; n += 1) await client.query('insert into synced values ($1)', [n])
  await client.end()
  await other.stop()
  return Number(/(\d+) synchronisations/.exec(last)?.[1])
}
