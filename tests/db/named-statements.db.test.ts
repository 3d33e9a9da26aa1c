import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { keywords } from '../../src/contract/keywords.ts'
import { isBatching, namingClient } from '../../src/server/db/connections/named-statements.ts'
import { openPool } from '../../src/server/db/connections/pool.ts'
import { change } from '../../src/server/http/binding.ts'
import type { Exchange } from '../../src/server/http/exchange.ts'
import { done } from '../../src/server/http/outcome.ts'
import { runChange } from '../../src/server/http/run-change.ts'
import { copyTemplate, isEngineReachable, testEngine, type TestStorage } from '../support/databases.ts'

// Connections of the embedded engine share one set of names: it is given none.
describe.skipIf(testEngine === 'embedded' || !isEngineReachable())('statements sent by name', () => {
  let storage: TestStorage
  let other: pg.Client
  beforeAll(async () => {
    storage = await copyTemplate()
    other = new pg.Client({ connectionString: storage.databaseUrl ?? '' })
    await other.connect()
    await other.query('create table public.shelves (id integer primary key, label text, marks text[])')
    await other.query(`insert into public.shelves values (1, 'A', '{x,y}'), (2, null, null)`)
  })
  afterAll(async () => {
    await other?.end()
    await storage?.drop()
  })

  /** Runs on so many connections of a pool of its own. */
  async function onClients(
    count: number,
    act: (...clients: pg.PoolClient[]) => Promise<void>,
  ): Promise<void> {
    const { pool } = openPool({
      connectionString: storage.databaseUrl ?? '',
      max: count,
      Client: namingClient(),
    })
    const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()))
    try {
      await act(...clients)
    } finally {
      for (const client of clients) client.release(true)
      await pool.end()
    }
  }
  const namesOf = async (client: pg.PoolClient) =>
    (
      await client.query<{ statement: string }>('select statement from pg_prepared_statements order by 1')
    ).rows.map(({ statement }) => statement)
  const byId = 'select * from public.shelves where id = $1'
  const addColumn = () =>
    other.query(`alter table public.shelves add column "${randomUUID()}" text default 'new'`)

  it('names what is sent with values, from the second time on, for every connection', async () => {
    await onClients(2, async (one, two) => {
      await one.query('select 1')
      await one.query('select 1')
      await one.query(byId, [1])
      expect(await namesOf(one)).toEqual([])
      await one.query(byId, [1])
      await two.query(byId, [2])
      expect([await namesOf(one), await namesOf(two)]).toEqual([[byId], [byId]])
    })
  })

  it('reads arrays, nothing, and rows by an array of any length under one name', async () => {
    await onClients(1, async (client) => {
      const marked = 'select id from public.shelves where marks is not distinct from $1 order by id'
      const among = 'select id from public.shelves where id = any($1::int[]) order by id'
      for (let round = 0; round < 8; round += 1) {
        expect((await client.query(marked, [['x', 'y']])).rows).toEqual([{ id: 1 }])
        expect((await client.query(marked, [null])).rows).toEqual([{ id: 2 }])
        const ids = [1, 2, 3, 4, 5, 6, 7, 8].slice(0, round + 1)
        expect((await client.query(among, [ids])).rows).toHaveLength(Math.min(2, ids.length))
      }
      expect(await namesOf(client)).toEqual([among, marked])
    })
  })

  it.each<[string, unknown]>([
    ['text', 'l’œuvre « d’Élise » \\ "x"'],
    ['text', 'x'.repeat(100_000)],
    ['text', ''],
    ['text', null],
    ['text[]', ['a,b', 'c"d', 'e\\f', '', 'null', null]],
    ['int[]', [1, -2, 3]],
    ['int[]', []],
    [
      'text[]',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['bytea', Buffer.from([0, 1, 255])],
    ['bytea', new Uint8Array([0, 1, 255])],
    ['bytea[]', [Buffer.from([0, 255])]],
    ['jsonb', { a: [1, 'é', null], b: { c: true } }],
    ['boolean', false],
    ['bigint', 9007199254740993n],
    ['numeric', 1.25],
    ['timestamptz', new Date('2026-03-29T01:30:00.123Z')],
  ])('reads back as %s what it is given, as pg does', async (type, value) => {
    await onClients(1, async (client) => {
      const text = `select $1::${type} as value, $1::${type}::text as written`
      const plain = await other.query(text, [value])
      for (let round = 0; round < 3; round += 1) {
        const { rows } = await client.query(text, [value])
        expect(rows[0].written).toBe(plain.rows[0].written)
      }
    })
  })

  it('serves on after a value that cannot be sent', async () => {
    await onClients(1, async (client) => {
      const round: { self?: object } = {}
      round.self = round
      await expect(client.query('select $1::jsonb', [round])).rejects.toThrow(/circular/)
      expect((await client.query(byId, [1])).rows).toHaveLength(1)
    })
  })

  it('runs none of what goes out behind a statement that fails, a commit included', async () => {
    await onClients(1, async (client) => {
      if (!isBatching(client)) throw new Error('not a client of ours')
      const put = 'insert into public.shelves (id) values ($1)'
      for (let round = 0; round < 4; round += 1) {
        const sent = client.together([
          ['begin', []],
          [put, [7]],
          [put, [1]],
          ['commit', []],
        ])
        await expect(sent).rejects.toMatchObject({ code: '23505' })
        await client.query('rollback')
        expect((await client.query(byId, [7])).rows).toHaveLength(0)
      }
      const [, found] = await client.together([
        ['begin', []],
        [byId, [1]],
        ['commit', []],
      ])
      expect(found?.rows).toMatchObject([{ id: 1, label: 'A' }])
    })
  })

  it('keeps its names through a savepoint that is rolled back', async () => {
    await onClients(1, async (client) => {
      const put = 'insert into public.shelves (id) values ($1)'
      for (let round = 0; round < 4; round += 1) {
        await client.query('begin')
        await client.query('savepoint verb')
        await client.query(put, [3])
        await expect(client.query(put, [1])).rejects.toMatchObject({ code: '23505' })
        await client.query('rollback to savepoint verb')
        expect((await client.query(byId, [1])).rows).toHaveLength(1)
        expect((await client.query(byId, [3])).rows).toHaveLength(0)
        await client.query('commit')
      }
    })
  })

  it('keeps no more than three hundred names, those that were used last', async () => {
    await onClients(1, async (client) => {
      const sum = (n: number) => `select $1::int + ${n} as sum`
      for (let n = 0; n < 320; n += 1) {
        for (let round = 0; round < 3; round += 1) {
          expect((await client.query(sum(n), [1])).rows).toEqual([{ sum: n + 1 }])
        }
        expect((await client.query(byId, [1])).rows).toHaveLength(1)
      }
      const names = await namesOf(client)
      expect(names).toHaveLength(300)
      expect(names).toEqual(expect.arrayContaining([byId, sum(319), sum(21)]))
      expect(names).not.toContain(sum(20))
      expect((await client.query(sum(0), [1])).rows).toEqual([{ sum: 1 }])
    })
  })

  it('serves each of more statements than names, though each fails at first', async () => {
    await onClients(1, async (client) => {
      const sum = (n: number) => `select 10 / $1::int + ${n} as sum`
      for (let n = 0; n < 305; n += 1) {
        for (const divisor of [0, 0, 1, 2]) {
          const sent = client.query(sum(n), [divisor])
          if (divisor === 0) await expect(sent).rejects.toMatchObject({ code: '22012' })
          else expect((await sent).rows).toEqual([{ sum: 10 / divisor + n }])
        }
      }
      expect(await namesOf(client)).toHaveLength(300)
    })
  })

  const forgetting = {
    'another process adds a column': async () => addColumn(),
    'somebody deallocates all': async (client: pg.PoolClient) => client.query('deallocate all'),
  }
  describe.each(Object.entries(forgetting))('when %s', (_, forget) => {
    it('is answered outside of a transaction as if nothing was', async () => {
      await onClients(2, async (...clients) => {
        for (const client of clients) for (let n = 0; n < 3; n += 1) await client.query(byId, [1])
        for (const client of clients) await forget(client)
        for (const client of clients) {
          for (let n = 0; n < 3; n += 1) expect((await client.query(byId, [1])).rows[0]?.label).toBe('A')
          // Those that are worth nothing any more do not stay.
          expect(await namesOf(client)).toEqual([byId])
        }
      })
    })

    it('loses one transaction of a connection, and no other', async () => {
      await onClients(2, async (...clients) => {
        for (const client of clients) for (let n = 0; n < 3; n += 1) await client.query(byId, [1])
        for (const client of clients) await forget(client)
        const inTransaction = async (client: pg.PoolClient) => {
          await client.query('begin')
          const read = client.query(byId, [1]).then(({ rows }) => rows.length)
          return read.finally(() => client.query('rollback'))
        }
        const [one, two] = clients as [pg.PoolClient, pg.PoolClient]
        await expect(inTransaction(one)).rejects.toMatchObject({ code: /^(0A000|26000)$/ })
        expect([await inTransaction(one), await inTransaction(two)]).toEqual([1, 1])
      })
    })

    it('does a change of the product again by itself', async () => {
      const { environment } = storage
      const read = () => sql`select * from public.shelves where id = ${1}`
      const seen: number[] = []
      const binding = change(keywords.remove, async (trx) => {
        const { rows } = await read().execute(trx)
        seen.push(rows.length)
        return done(null)
      })
      const exchange = { environment, now: new Date() } as Exchange
      const run = () => runChange({ binding: binding as Change, input: {}, exchange, request: null })
      for (let n = 0; n < 3; n += 1) await run()
      const client = await environment.pool.connect()
      await forget(client)
      client.release()
      expect((await run()).status).toBeLessThan(300)
      expect(seen).toEqual([1, 1, 1, 1])
    })
  })
})

type Change = Parameters<typeof runChange>[0]['binding']
