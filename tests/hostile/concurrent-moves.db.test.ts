import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { testEngine } from '../support/databases.ts'
import { type Answer, type Client, describeServer, type TestServer } from '../support/test-server.ts'
import { readFaults } from './gestures.ts'
import { answersPlainly, endingsOf, pairsOf } from './two-at-once.ts'

const copy = 1
const address = `/api/copies/${copy}`

/** What may take a copy away, or bring it back; `sale` is its last one. */
const gestures = {
  lend: (client) => client.post('/api/loanings', { beneficiary: 1, copy }),
  sell: (client) => client.post('/api/sales', { beneficiary: 2, copy }),
  'delete the sale': (client, sale) => client.delete(`/api/sales/${sale}`),
  send: (client) => client.put(address, { site: 2 }),
  receive: (client) => client.put(address, { status: 'Disponible' }),
  'take back': (client) => client.put(address, { site: 1 }),
  withdraw: (client) => client.delete(address),
  return: (client) => client.post('/api/loanings/return', { bar_code: '1001' }),
} satisfies Record<string, (client: Client, sale: number) => Promise<Answer>>
type Name = keyof typeof gestures

const setType = ({ db }: TestServer, type: string) =>
  sql`update copies set type = ${type} where id = ${copy}`.execute(db)

const startingPoints = {
  'on its shelf': () => Promise.resolve(),
  'for sale': async (_, server) => {
    await setType(server, 'Vente')
  },
  'on loan': async (client) => {
    await gestures.lend(client)
  },
  'on loan, to be sold': async (client, server) => {
    await gestures.lend(client)
    await setType(server, 'Vente')
  },
  'under way': async (client) => {
    await gestures.send(client)
  },
  'under way, for sale': async (client, server) => {
    await setType(server, 'Vente')
    await gestures.send(client)
  },
  sold: async (client, server) => {
    await setType(server, 'Vente')
    await gestures.sell(client)
  },
} satisfies Record<string, (client: Client, server: TestServer) => Promise<unknown>>
type Start = keyof typeof startingPoints

async function startAt(server: TestServer, client: Client, start: Start): Promise<number> {
  await sql`delete from loanings`.execute(server.db)
  await sql`delete from sales`.execute(server.db)
  await sql`update copies set status = 'Disponible', type = 'Location', site = 1, sent_from = null, sent_at = null,
    deleted_at = null, withdrawn_on = null, withdrawal_reason = null where id = ${copy}`.execute(server.db)
  await startingPoints[start](client, server)
  const { rows } = await sql<{ id: number }>`select id from sales where copy = ${copy}`.execute(server.db)
  return rows[0]?.id ?? 999_999
}

async function readState({ db }: TestServer): Promise<unknown> {
  const copies = await sql`
    select status, site, sent_from, withdrawn_on, withdrawal_reason, deleted_at is null as present from copies where id = ${copy}`.execute(
    db,
  )
  const loans = await sql`select status from loanings where copy = ${copy} order by id`.execute(db)
  const sales = await sql`
    select beneficiary, price, deleted_at is null as present from sales where copy = ${copy} order by id`.execute(
    db,
  )
  return { copy: copies.rows[0], loans: loans.rows, sales: sales.rows }
}

/** A copy is sold when, and only when, it has one sale, and is then nobody's else. */
async function readSaleFaults({ db }: TestServer): Promise<unknown[]> {
  const { rows } = await sql`
    select c.status, count(s.id) as sold from copies c left join sales s on s.copy = c.id and s.deleted_at is null
    where c.deleted_at is null
    group by c.id having (c.withdrawn_on is not null)::int <> count(s.id)`.execute(db)
  return rows
}

describeServer('two people who move one copy', (server) => {
  let clients: [Client, Client]
  beforeAll(async () => {
    clients = [await server.as('admin'), await server.as('admin')]
  })

  // The embedded engine runs one transaction at a time, so one starting point shows that.
  const starts = (Object.keys(startingPoints) as Start[]).filter(
    (start) => testEngine === 'postgres' || start === 'for sale',
  )
  describe.each(starts)('%s', (start) => {
    it.each(pairsOf(Object.keys(gestures) as Name[]))(
      '%s + %s end as if one had come after the other',
      async (first, second) => {
        const stories = { gestures, startAt, readState }
        const { allowed, endings } = await endingsOf(server, clients, stories, { start, first, second })
        for (const ending of endings) expect(allowed).toContainEqual(ending)
        for (const answer of [...allowed, ...endings].flatMap(({ answers }) => answers)) {
          expect(answer).toMatch(answersPlainly)
        }
        expect([...(await readFaults(server)), ...(await readSaleFaults(server))]).toEqual([])
      },
    )
  })
})
