import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { type Connections, openConnections } from '../../src/server/db/connections/connections.ts'
import type { Borrower } from '../../src/server/db/connections/held-connection.ts'
import { openListener } from '../../src/server/db/connections/listener.ts'
import { sharedSchemaLock } from '../../src/server/db/connections/schema-lock.ts'
import { emptyStorage, isEngineReachable, testEngine } from '../support/databases.ts'

/** The embedded engine lends nothing. */
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('connections that are lent', () => {
  let storage: Awaited<ReturnType<typeof emptyStorage>>
  let address: string
  let other: pg.Client
  const opened: Connections[] = []

  beforeAll(async () => {
    storage = await emptyStorage()
    address = storage.settings.databaseUrl ?? ''
    other = new pg.Client({ connectionString: address })
    await other.connect()
    for (const id of [1, 2, 3]) await other.query(`create schema env_${id}`)
  })
  afterEach(async () => {
    for (const connections of opened.splice(0)) await connections.end()
  })
  afterAll(async () => {
    await other.end()
    await storage.drop()
  })

  const open = (most: number) => {
    const connections = openConnections(address, { most })
    opened.push(connections)
    return connections
  }
  const borrower = (id: number, patience = 10_000): Borrower => ({
    schema: `env_${id}`,
    lock: sharedSchemaLock(id),
    most: 7,
    isLongReads: false,
    statementTimeout: null,
    patience,
  })
  const locksOn = async (id: number) => {
    const { rows } = await other.query<{ count: number }>(
      "select count(*)::int as count from pg_locks where locktype = 'advisory' and classid = 7302115 and objid = $1",
      [id],
    )
    return rows[0]?.count
  }

  it('are never more than they may be, though those that are opened are slow to say that they are ready', async () => {
    const { port, hostname } = new URL(address)
    let wires = 0
    const held: (() => void)[] = []
    const wire = createServer((near) => {
      wires += 1
      const far = connect(Number(port || 5432), hostname)
      near.on('data', (bytes) => {
        const pass = () => far.write(bytes)
        if (bytes.includes('show statement_timeout')) held.push(pass)
        else pass()
      })
      far.on('data', (bytes) => near.write(bytes))
      for (const [one, another] of [
        [near, far],
        [far, near],
      ] as const)
        one.on('error', () => undefined).on('close', () => another.destroy())
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void wire.close())
    await once(wire, 'listening')
    const through = new URL(address)
    through.host = `127.0.0.1:${(wire.address() as AddressInfo).port}`
    const connections = openConnections(through.href, { most: 3 })
    opened.push(connections)
    const pool = connections.poolFor(borrower(1))
    const first = [pool.query('select 1'), pool.query('select 1')]
    await expect.poll(() => held.length).toBe(2)
    const later = [1, 2, 3, 4].map(() => pool.query('select 1'))
    const release = setInterval(() => held.splice(0).forEach((pass) => pass()), 10)
    await Promise.all([...first, ...later]).finally(() => clearInterval(release))
    expect(wires).toBe(2)
  })

  it('come back to the environment that each served last, where several know its statements', async () => {
    const connections = open(3)
    const [one, two, three] = [1, 2, 3].map((id) => connections.poolFor(borrower(id)))
    // A statement is named once it comes again.
    const pidFor = async (pool = one!) => {
      const told = new Set<number>()
      for (let n = 0; n < 3; n += 1) {
        const { rows } = await pool.query('select pg_backend_pid() as pid, $1::int as n', [n])
        told.add(Number(rows[0]?.['pid']))
      }
      expect(told.size).toBe(1)
      return [...told][0]
    }
    const pids = [await pidFor(one), await pidFor(two)]
    expect(new Set(pids).size).toBe(2)
    for (const [busy, left] of [
      [one!, pids[1]],
      [two!, pids[0]],
    ] as const) {
      const held = await busy.connect()
      expect(await pidFor(three)).toBe(left)
      held.release()
      expect([await pidFor(one), await pidFor(two)]).toEqual(pids)
    }
    // Both know its statements and neither is set for it.
    expect(await pidFor(three)).toBe(pids[0])
  })

  it('are given up where they do not answer within the time that they have, and others take their place', async () => {
    const connections = openConnections(address, { most: 2, answeredWithinMs: 300 })
    opened.push(connections)
    const pool = connections.poolFor(borrower(1))
    const pid = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0]?.['pid']
    const before = await pid()
    for (const silent of [
      () => pool.query('select pg_sleep(2)'),
      () => pool.query('select pg_sleep($1)', [2]),
    ])
      await expect(silent()).rejects.toThrow('terminated')
    expect(await pid()).not.toBe(before)
  })

  it('serve no library whose schema was replaced under them', async () => {
    const connections = open(2)
    const lock = sharedSchemaLock(3)
    await lock.knowSchema(connections.ground)
    const replaced = connections.poolFor({ ...borrower(3), lock })
    expect((await replaced.query('select current_schema() as here')).rows).toEqual([{ here: 'env_3' }])
    await other.query('drop schema env_3; create schema env_3')
    // The only connection goes to another and would come back.
    await connections.poolFor(borrower(2)).query('select 1')
    await expect(replaced.query('select 1')).rejects.toThrow('La base a été remplacée')
    expect((await lock.replaced).message).toContain('La base a été remplacée')
  })

  it('are given to who waited before its pool ended, and to nobody after', async () => {
    const connections = open(2)
    const [one, two] = [connections.poolFor(borrower(1)), connections.poolFor(borrower(2))]
    const busy = await one.connect()
    const waited = two.query('select current_schema() as here')
    await expect.poll(() => two.waitingCount).toBe(1)
    const ending = two.end()
    await expect(two.connect()).rejects.toThrow('end')
    await expect(two.query('select 1')).rejects.toThrow('end')
    busy.release()
    expect((await waited).rows).toEqual([{ here: 'env_2' }])
    await ending
    // Nothing of a library that is closed keeps a restore or a removal waiting.
    await expect.poll(() => locksOn(2)).toBe(0)
    await one.end()
  })

  it('let a pool end though who waited lost patience', async () => {
    const connections = open(2)
    const [one, two] = [connections.poolFor(borrower(1)), connections.poolFor(borrower(2, 50))]
    const busy = await one.connect()
    const waited = two.query('select 1').catch((error: unknown) => String(error))
    const ending = two.end()
    expect(await waited).toContain('timeout')
    await ending
    busy.release()
    await one.end()
  })

  it('refuse who waits when they all end, and open no other', async () => {
    const connections = open(2)
    const [one, two] = [connections.poolFor(borrower(1)), connections.poolFor(borrower(2))]
    const busy = await one.connect()
    const waited = two.query('select 1').catch((error: unknown) => String(error))
    await expect.poll(() => two.waitingCount).toBe(1)
    await connections.end()
    expect(await waited).toContain('closed')
    busy.release()
    await expect.poll(() => locksOn(2)).toBe(0)
  })

  it('hear for the others while one library’s schema was replaced', async () => {
    const clients: pg.Client[] = []
    const listener = openListener(async () => {
      const client = new pg.Client({ connectionString: address })
      clients.push(client)
      await client.connect()
      return client
    })
    const { ground } = open(2)
    const replaced = sharedSchemaLock(1)
    await replaced.knowSchema(ground)
    const heard: (string | null)[] = []
    listener.listen('shelves', (payload) => heard.push(payload))
    await listener.keep(replaced)
    const { rows } = await listener
      .keep(sharedSchemaLock(2))
      .then(() => clients[0]!.query<{ pid: number }>('select pg_backend_pid() as pid'))
    await other.query('drop schema env_1; create schema env_1')
    await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(ground)
    await expect.poll(() => clients.length).toBe(2)
    await expect.poll(() => listener.isHearing).toBe(true)
    expect(clients).toHaveLength(2)
    await other.query("notify shelves, 'yes'")
    await expect.poll(() => heard).toContain('yes')
    await expect.poll(() => locksOn(2)).toBe(1)
    listener.close()
  })

  it('are kept where this process slept while the database was asked whether it is there', async () => {
    const client = new pg.Client({ connectionString: address })
    const listener = openListener(async () => {
      await client.connect()
      return client
    })
    onTestFinished(() => listener.close())
    await listener.keep(sharedSchemaLock(2))
    const sleeps = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    const query = vi.spyOn(client, 'query')
    const asked = listener.isAnswered(100)
    await expect.poll(() => query.mock.calls.length, { interval: 0 }).toBe(1)
    sleeps(800)
    expect(await asked).toBe(true)
    // One that says nothing to a process that is awake is gone.
    query.mockImplementation(() => new Promise(() => undefined))
    expect(await listener.isAnswered(100)).toBe(false)
  })

  it('leave nothing behind where they end while the ear begins to hear', async () => {
    const client = new pg.Client({ connectionString: address, application_name: 'ear that closes' })
    const connected = new Promise((resolve) => client.once('connect', resolve))
    const listener = openListener(async () => {
      await client.connect()
      return client
    })
    listener.listen('shelves', () => undefined)
    listener.close()
    await connected
    const left = async () => {
      const { rows } = await other.query(
        "select pid from pg_stat_activity where application_name = 'ear that closes'",
      )
      return rows.length
    }
    await expect.poll(left).toBe(0)
    expect(listener.isHearing).toBe(false)
  })
})
