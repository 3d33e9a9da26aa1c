import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import type { ListQuery } from '../../src/contract/list.ts'
import { openPool } from '../../src/server/db/connections/pool.ts'
import { type LongList, readIds } from '../../src/server/db/lists/read-list.ts'
import { ordersLearnt } from '../../src/server/db/lists/remembered-order.ts'
import { testEngine } from '../support/databases.ts'
import { addManyRows } from '../support/many-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'

const rows = 24_000

/** The whole list, straight from the tables. */
type Whole = { query: string; select: RawBuilder<{ id: number }> }

const loans = sql`select l.id from loanings l join copies c on c.id = l.copy join "references" r on r.id = c.reference
  join beneficiaries b on b.id = l.beneficiary left join categories cat on cat.id = r.category left join media m on m.id = r.medium`
const copies = sql`select c.id from copies c join "references" r on r.id = c.reference join sites s on s.id = c.site`
const references = sql`select r.id from "references" r left join categories cat on cat.id = r.category left join media m on m.id = r.medium`
const beneficiaries = sql`select b.id from beneficiaries b left join sites s on s.id = b.agency_id`

const ofLoans = (query: string, order: RawBuilder<unknown>): Whole => ({
  query: `/api/loanings?${query}`,
  select: sql`${loans} order by ${order}`,
})

const wholes: Whole[] = [
  ofLoans('', sql`l.start_date desc, l.id desc`),
  ofLoans('order[id]=asc', sql`l.id`),
  ofLoans('order[start_date]=asc', sql`l.start_date, l.id`),
  {
    query: '/api/loanings?filters[status|eq]=finished&filters[site|eq]=2&filters[start_date|gte]=2018-03-01',
    select: sql`${loans} where l.status = 'finished' and l.site = 2 and l.start_date >= '2018-03-01' order by l.start_date desc, l.id desc`,
  },
  ofLoans('order[end_date]=asc', sql`l.end_date, l.id`),
  ofLoans('order[return_date]=desc', sql`l.return_date desc nulls last, l.id desc`),
  ofLoans('order[return_date]=asc', sql`l.return_date asc nulls last, l.id`),
  ofLoans('order[beneficiary_lastname]=desc', sql`b.search desc, l.id desc`),
  ofLoans('order[reference_name]=asc', sql`r.search, l.id`),
  ofLoans('order[copy_barcode]=desc', sql`c.bar_code desc, l.id desc`),
  ofLoans('order[category]=asc&order[amount]=desc', sql`cat.name, l.amount desc, l.id desc`),
  ofLoans('order[medium]=desc', sql`m.name desc nulls last, l.id desc`),
  ofLoans('order[status]=desc&order[start_date]=asc', sql`l.status desc, l.start_date, l.id`),
  {
    query: '/api/loanings?filters[category|eq]=1&order[amount]=asc',
    select: sql`${loans} where r.category = 1 order by l.amount, l.id`,
  },
  { query: '/api/copies?order[bar_code]=asc', select: sql`${copies} order by c.bar_code, c.id` },
  { query: '/api/copies?order[name]=desc', select: sql`${copies} order by r.search desc, c.id desc` },
  {
    query: '/api/copies?order[site]=desc',
    select: sql`${copies} order by search_text(s.name) desc, c.id desc`,
  },
  { query: '/api/copies?order[buy_date]=asc', select: sql`${copies} order by c.buy_date nulls last, c.id` },
  { query: '/api/references', select: sql`${references} order by r.created_at desc, r.id desc` },
  { query: '/api/references?order[name]=asc', select: sql`${references} order by r.search, r.id` },
  {
    query: '/api/references?order[code]=desc',
    select: sql`${references} order by r.code desc nulls last, r.id desc`,
  },
  {
    query: '/api/references?order[medium]=asc',
    select: sql`${references} order by case when m.id > 0 then search_text(m.name) end nulls last, r.id`,
  },
  { query: '/api/references?order[price]=desc', select: sql`${references} order by r.price desc, r.id desc` },
  { query: '/api/beneficiaries', select: sql`${beneficiaries} order by b.search, b.id` },
  {
    query: '/api/beneficiaries?order[firstname]=desc&order[contract_type]=asc',
    select: sql`${beneficiaries} order by search_text(b.firstname) desc, search_text(b.contract_type), b.id`,
  },
  {
    query: '/api/beneficiaries?order[agency]=desc',
    select: sql`${beneficiaries} order by search_text(s.name) desc nulls last, b.id desc`,
  },
]

describeServer('pages at any depth', (server) => {
  let client: Client
  beforeAll(async () => {
    await addManyRows(server.db, rows)
    client = await server.as('admin')
  })

  const idsOn = async (query: string, page: number): Promise<number[]> => {
    const { status, body } = await client.get(
      `${query}${query.includes('?') ? '&' : '?'}page=${page}&limit=40`,
    )
    expect(status).toBe(200)
    return body['hydra:member'].map(({ id }: { id: number }) => id)
  }

  describe.each(wholes)('$query', ({ query, select }) => {
    it('hold what the whole list holds there, before and after its order is remembered', async () => {
      const all = (await sql<{ id: number }>`${select}`.execute(server.db)).rows.map(({ id }) => id)
      const last = Math.ceil(all.length / 40)
      const depths = [1, 40, 100, Math.floor(last / 2), last - 100, last - 1, last]
      for (const round of ['first', 'again']) {
        for (const page of depths) {
          expect([round, page, await idsOn(query, page)]).toEqual([
            round,
            page,
            all.slice((page - 1) * 40, page * 40),
          ])
        }
        await ordersLearnt(server.environment.reads)
      }
      expect(await idsOn(query, last + 1)).toEqual([])
    })
  })

  it.skipIf(testEngine === 'embedded')('are found in pieces where one statement takes too long', async () => {
    const { pool, db } = openPool({
      connectionString: server.storage.databaseUrl ?? '',
      options: '-c search_path=env_1,public -c statement_timeout=1s',
      max: 2,
    })
    const slow = (value: RawBuilder<unknown>) =>
      sql`(case when pg_sleep(0.001) is null then 0 else ${value} end)`
    const list: ListQuery = { page: 1, limit: 40, order: [{ field: 'id', direction: 'desc' }], filters: [] }
    const long: LongList = {
      table: sql`loanings`,
      id: sql`l.id`,
      from: () => sql`loanings l`,
      where: sql`true`,
      orders: { id: { sorts: slow(sql`l.id`), number: sql`l.id` } },
    }
    const expected = await sql<{ id: number }>`select id from loanings order by id desc limit 40`.execute(
      server.db,
    )
    expect(await readIds(db, list, long)).toEqual({ ids: expected.rows.map(({ id }) => id), total: rows })
    await pool.end()
  })

  it('show rows as they are, and none that left the list since its order was remembered', async () => {
    const query = '/api/loanings?order[beneficiary_lastname]=asc'
    await idsOn(query, 300)
    await ordersLearnt(server.environment.reads)
    const before = await idsOn(query, 300)
    const next = await idsOn(query, 301)
    await sql`update loanings set deleted_at = now() where id = ${before[3] ?? 0}`.execute(server.db)
    await sql`update loanings set comment = 'vu' where id = ${before[4] ?? 0}`.execute(server.db)
    expect(await idsOn(query, 300)).toEqual([...before.filter((_, at) => at !== 3), next[0]])
    const { body } = await client.get(`${query}&page=300&limit=40`)
    expect(body['hydra:member'][3].comment).toBe('vu')
  })
})
