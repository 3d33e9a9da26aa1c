import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'
import { clearCounter, expectNobodyNamed, openTwoSites, type TwoSites } from './two-sites.ts'

const told = ({ body }: Answer): [template: string, beneficiary: number | null][] =>
  body['hydra:member'].map(({ template, beneficiary }: { template: string; beneficiary: number | null }) => [
    template,
    beneficiary,
  ])

// Alice has late loans of both sites, Éric of Centre and Jean, who has an address here, of Annexe.
describeServer('the list of mails', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
    await sql`update beneficiaries set email = 'jean@exemple.fr' where id = 4`.execute(server.db)
  })
  beforeEach(async () => {
    await clearCounter(server, false)
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select *, '2026-02-01', '2026-03-01', 1, 'DAY', now(), now() from (values (1, 1, 1), (1, 11, 2), (2, 2, 1), (4, 12, 2)) l`.execute(
      server.db,
    )
  })
  const mailsOf = (client: Client, query = '') => client.get(`/api/mail?order[id]=asc&${query}`)

  it('shows those about loans of open sites only', async () => {
    expect((await people.chef.post('/api/mail/reminders', {}, { site: 1 })).body).toMatchObject({ count: 2 })
    await server.doJobs()
    expect((await people.chef.post('/api/mail/reminders', {}, { site: 2 })).body).toMatchObject({ count: 2 })
    await server.doJobs()
    // One about loans of both sites is for whom both are open.
    expect((await people.chef.post('/api/beneficiaries/1/remind')).status).toBe(202)
    await people.chef.post('/api/mail', { loaning: 3, template: 'loaning_creation' })
    await people.chef.post('/api/mail', { loaning: 4, template: 'loaning_creation' })
    const annexe = await mailsOf(people.annexe)
    expect(told(annexe)).toEqual([
      ['loaning_reminder', 1],
      ['loaning_reminder', 4],
      ['loaning_creation', 4],
    ])
    expect(annexe.body['hydra:totalItems']).toBe(3)
    expect(told(await mailsOf(people.centre))).toEqual([
      ['loaning_reminder', 1],
      ['loaning_reminder', 2],
      ['loaning_creation', 2],
    ])
    expect(told(await mailsOf(people.chef))).toHaveLength(7)
    for (const filter of ['beneficiary=2', 'filters[beneficiary|in]=2', 'beneficiary=2&status=queued']) {
      expect((await mailsOf(people.annexe, filter)).body['hydra:totalItems']).toBe(0)
    }
  })

  it('reads of older mails where they were sent from', async () => {
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, loaning, next_attempt_at, created_at)
      values ('alice@exemple.fr', 'a', '', 'loaning_creation', 1, 2, now(), now()),
        ('eric@exemple.fr', 'b', '', 'loaning_recap', 2, null, now(), now())`.execute(server.db)
    expect(told(await mailsOf(people.annexe))).toEqual([['loaning_creation', 1]])
    expect(told(await mailsOf(people.centre))).toEqual([['loaning_recap', 2]])
  })

  it('keeps hidden readers out where the library works by site', async () => {
    await people.chef.post('/api/mail/reminders', {}, { site: 2 })
    await server.doJobs()
    await setParameter(server, 'by_site_beneficiaries', '1')
    const mails = await mailsOf(people.annexe)
    expect(told(mails)).toEqual([['loaning_reminder', 4]])
    expectNobodyNamed(mails)
    // The loan is the site's business: its borrower may be written to, unnamed.
    await sql`update beneficiaries set email = null where id = 1`.execute(server.db)
    const refused = await people.annexe.post('/api/mail', { loaning: 2, template: 'loaning_creation' })
    expect(refused.body.violations[0].message).toBe(
      'Ce lecteur d’un autre site n’a pas d’adresse électronique valable.',
    )
    await sql`update beneficiaries set email = 'alice@exemple.fr' where id = 1`.execute(server.db)
    expect((await people.annexe.post('/api/mail', { loaning: 2, template: 'loaning_creation' })).status).toBe(
      202,
    )
    expect((await people.annexe.post('/api/mail', { loaning: 1, template: 'loaning_creation' })).status).toBe(
      422,
    )
  })

  it('shows mails of accounts to those who look after accounts or templates, and their links to nobody', async () => {
    await sql`insert into mail_outbox (to_address, subject, html, template, next_attempt_at, created_at)
      values ('chef@exemple.fr', 'Votre lien https://ici.fr/reset/secret', 'https://ici.fr/reset/secret', 'password_reset', now(), now())`.execute(
      server.db,
    )
    expect(told(await mailsOf(people.centre))).toEqual([])
    expect((await mailsOf(people.centre, 'template=password_reset')).body['hydra:totalItems']).toBe(0)
    const shown = await mailsOf(people.annexe, 'template=password_reset')
    expect(told(shown)).toEqual([['password_reset', null]])
    expect(JSON.stringify(shown.body)).not.toContain('secret')
    for (const right of ['USER_EDIT', 'PARAMETER_MAIL']) {
      await sql`insert into profile_rights (profile, right_code) select id, ${right} from profiles where name = 'Bibliothécaire'`.execute(
        server.db,
      )
      expect(told(await mailsOf(people.centre))).toEqual([['password_reset', null]])
      await sql`delete from profile_rights where right_code = ${right} and profile = (select id from profiles where name = 'Bibliothécaire')`.execute(
        server.db,
      )
    }
  })
})
