import { sql } from 'kysely'
import { afterEach, beforeAll, expect, it } from 'vitest'

import { sweep } from '../../src/server/housekeeping/housekeeping.ts'
import { expectTalliesTrue } from '../support/loan-tallies.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('loans: totals', (server) => {
  let biblio: Client
  let admin: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    admin = await server.as('admin')
  })
  afterEach(async () => {
    await expectTalliesTrue(server.db)
    await sql`truncate loanings restart identity cascade`.execute(server.db)
    await sql`update copies set status = 'Disponible'`.execute(server.db)
    await expectTalliesTrue(server.db)
  })

  const totalOf = async (query: string, client = biblio) =>
    (await client.get(`/api/loanings?${query}`)).body['hydra:totalItems']
  const lend = async (copy: number) =>
    (await biblio.post('/api/loanings', { beneficiary: 1, copy })).body.id as number

  it('follow a loan through everything that happens to it', async () => {
    const loan = await lend(1)
    expect(await totalOf('status|eq=in_progress')).toBe(1)
    await biblio.post('/api/loanings/return', { bar_code: '1001' })
    expect(await totalOf('status|eq=in_progress')).toBe(0)
    expect(await totalOf('status|eq=finished')).toBe(1)
    await biblio.post(`/api/loanings/${loan}/undo`)
    expect(await totalOf('status|eq=in_progress')).toBe(1)
    await admin.post(`/api/loanings/${loan}/cancel`)
    expect(await totalOf('status|eq=cancelled')).toBe(1)
    expect(await totalOf('status|in=cancelled,finished')).toBe(1)
    await expectTalliesTrue(server.db)
    await admin.delete(`/api/loanings/${loan}`)
    expect(await totalOf('')).toBe(0)
  })

  it('follow the days of loans, and leave out what a day or a site does not hold', async () => {
    await lend(1)
    const second = await lend(2)
    await sql`update loanings set start_date = '2024-02-29' where id = ${second}`.execute(server.db)
    expect(await totalOf('start_date|gte=2024-02-29&start_date|lte=2024-02-29')).toBe(1)
    expect(await totalOf('start_date|lte=2024-02-28')).toBe(0)
    expect(await totalOf('start_date|nil=1')).toBe(0)
    expect(await totalOf('site=2')).toBe(0)
    expect(await totalOf('site=1')).toBe(2)
    await sql`delete from loanings where id = ${second}`.execute(server.db)
    expect(await totalOf('start_date|eq=2024-02-29')).toBe(0)
  })

  it('are the same once folded, twice at once', async () => {
    await lend(1)
    await lend(2)
    await biblio.post('/api/loanings/return', { bar_code: '1001' })
    // Nothing is past its time on that day.
    await Promise.all([sweep(server.environment, new Date(0)), sweep(server.environment, new Date(0))])
    const lines = await server.db
      .selectFrom('loan_tallies')
      .select(['status', 'loans'])
      .orderBy('status')
      .execute()
    expect(lines).toEqual([
      { status: 'finished', loans: 1 },
      { status: 'in_progress', loans: 1 },
    ])
    expect(await totalOf('status|eq=in_progress')).toBe(1)
  })
})
