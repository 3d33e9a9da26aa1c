import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { describeServer } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

describeServer('statistics of two sites', (server) => {
  let people: TwoSites
  beforeAll(async () => (people = await openTwoSites(server)))
  beforeEach(async () => {
    await clearCounter(server, true)
    // A reader of each site, at Annexe.
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select reader, copy, 2, '2026-03-05', '2026-03-12', 7, 'DAY', now(), now()
      from (values (1, 11), (4, 12)) as lent (reader, copy)`.execute(server.db)
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (1, 1, 1, '2026-03-05', '2026-03-26', 21, 'DAY', now(), now())`.execute(server.db)
  })

  it('count what is of open sites alone, whatever is asked for', async () => {
    for (const path of ['activity', 'references', 'beneficiaries', 'loanings', 'active'])
      expect((await people.annexe.get(`/api/stats/${path}?site=1`)).status).toBe(422)
    expect((await people.annexe.get('/api/export/stats_references?site=1')).status).toBe(422)
    expect((await people.annexe.get('/api/stats/loanings?site=0')).body.loans.now).toBe(2)
    expect((await people.chef.get('/api/stats/loanings?site=0')).body.loans.now).toBe(3)
    expect((await people.annexe.get('/api/stats/active?site=0')).body.total).toBe(2)
    const { body } = await people.annexe.get('/api/stats/references?site=0')
    expect([body.total, body.tops.length]).toEqual([5, 2])
  })

  it('name no reader of the other site among those who borrow most', async () => {
    const answer = await people.annexe.get('/api/stats/beneficiaries?site=0')
    expect(answer.body).toMatchObject({
      active: { now: 2 },
      tops: [{ id: 4, name: 'Jean Sans-Courriel (M4)', loans: 1 }],
    })
    expectNobodyNamed(answer)
  })
})
