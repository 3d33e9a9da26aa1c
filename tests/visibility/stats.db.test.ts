import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { referencesOf } from '../../src/client/stats/counted-references.ts'
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
    for (const path of [
      'activity',
      'references',
      'beneficiaries',
      'beneficiaries/rows',
      'loanings',
      'active',
    ])
      expect((await people.annexe.get(`/api/stats/${path}?site=1`)).status).toBe(422)
    expect((await people.annexe.get('/api/export/stats_references?site=1')).status).toBe(422)
    expect((await people.annexe.get('/api/stats/loanings?site=0')).body.loans.now).toBe(2)
    expect((await people.chef.get('/api/stats/loanings?site=0')).body.loans.now).toBe(3)
    expect((await people.annexe.get('/api/stats/active?site=0')).body.total).toBe(2)
    const { body } = await people.annexe.get('/api/stats/references?site=0')
    expect([body.total, body.tops.length]).toEqual([5, 2])
  })

  it('count as many references as the list that they open has', async () => {
    // One title is at both sites, one has lost its copy, one has none, and one is gone with its copy there.
    await sql`insert into copies (reference, bar_code, site) values (1, '9001', 2)`.execute(server.db)
    await sql`update copies set deleted_at = now() where id = 12`.execute(server.db)
    await sql`insert into "references" (name) values ('Sans exemplaire')`.execute(server.db)
    await sql`update "references" set deleted_at = now() where id = 13`.execute(server.db)
    const expected = { annexe: [4, 4], centre: [10, 10], chef: [10, 4, 15] }
    for (const [who, sites] of [
      ['annexe', [2, 0]],
      ['centre', [1, 0]],
      ['chef', [1, 2, 0]],
    ] as const) {
      const totals: number[] = []
      for (const site of sites) {
        const { body } = await people[who].get(`/api/stats/references?site=${site}`)
        const query = new URLSearchParams(referencesOf({ sites: body.sites })).toString()
        // Whatever site the person works at.
        for (const at of sites) {
          const list = await people[who].get(`/api/references?${query}`, { site: at })
          expect(list.body['hydra:totalItems']).toBe(body.total)
        }
        totals.push(body.total)
      }
      expect([who, totals]).toEqual([who, expected[who]])
    }
    const closed = await people.annexe.get('/api/references?site|in=1')
    expect(closed.body['hydra:totalItems']).toBe(0)
    await sql`delete from copies where bar_code = '9001'`.execute(server.db)
    await sql`delete from "references" where name = 'Sans exemplaire'`.execute(server.db)
    await sql`update "references" set deleted_at = null`.execute(server.db)
  })

  it('name no reader of the other site among those who borrow most', async () => {
    const answer = await people.annexe.get('/api/stats/beneficiaries?site=0')
    expect(answer.body).toMatchObject({
      active: { now: 2 },
      tops: [{ id: 4, name: 'Jean Sans-Courriel (M4)', loans: 1 }],
    })
    expectNobodyNamed(answer)
    for (const query of ['site=0', 'site=2&by=site&part=1']) {
      const rows = await people.annexe.get(`/api/stats/beneficiaries/rows?${query}`)
      expect(rows.body['hydra:member']).toContainEqual(
        expect.objectContaining({ id: null, label: 'Lecteur d’un autre site' }),
      )
      expectNobodyNamed(rows)
    }
  })
})
