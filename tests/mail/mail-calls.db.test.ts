import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { type Client, describeServer } from '../support/test-server.ts'

// On 2026-03-10 Alice (1) has two late books and one due later at site 1, one late DVD at site 2; Éric (2) a
// late book lent to Zoé; Noémie (3) a returned one; Jean (4), without an address, a late one.
describeServer('the calls about mail', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio')
    await sql`insert into loanings (beneficiary, relative, copy, site, start_date, end_date, return_date, status,
        duration_value, duration_type, lent_at, lent_received_at)
      select beneficiary, relative, copy, site, '2026-02-01', end_date::date, return_date::date,
        case when return_date is null then 'in_progress' else 'finished' end, 1, 'DAY', now(), now()
      from (values (1, null, 1, 1, '2026-03-09', null), (1, null, 2, 1, '2026-02-20', null), (1, null, 3, 1, '2026-03-10', null),
        (1, null, 11, 2, '2026-03-01', null), (2, 1, 4, 1, '2026-03-08', null), (3, null, 5, 1, '2026-03-01', '2026-03-02'),
        (4, null, 6, 1, '2026-03-01', null)) l (beneficiary, relative, copy, site, end_date, return_date)`.execute(
      server.db,
    )
  })
  beforeEach(async () => {
    await server.db.deleteFrom('mail_outbox').execute()
    await server.db.updateTable('loanings').set({ reminded_on: null }).execute()
  })
  /** To many: a job writes them. */
  const send = async (
    what: 'reminders' | 'reminders?again=1' | 'recap' | 'recap?again=1',
    options: { key?: string; site?: number } = {},
  ) => {
    const answer = await biblio.post(`/api/mail/${what}`, {}, options)
    await server.doJobs()
    return answer
  }
  const queued = () =>
    server.db.selectFrom('mail_outbox').selectAll().orderBy('beneficiary').orderBy('id').execute()
  const addresses = async () => (await queued()).map(({ to_address }) => to_address)

  it('counts reminders without sending any', async () => {
    const answer = await biblio.post('/api/mail/reminders?dry_run=1')
    expect(answer).toMatchObject({ status: 200, body: { count: 2 } })
    expect((await biblio.post('/api/mail/reminders?dry_run=1', {}, { site: 2 })).body).toEqual({ count: 1 })
    expect(await queued()).toEqual([])
  })

  it('reminds each person once, of all their late loans, the oldest first', async () => {
    const answer = await send('reminders')
    expect(answer).toMatchObject({ status: 202, body: { count: 2 } })
    const [alice, eric, ...others] = await queued()
    expect(others).toEqual([])
    expect(alice).toMatchObject({
      to_address: 'alice@exemple.fr',
      subject: 'Des retours sont attendus à Comptoir',
      template: 'loaning_reminder',
      status: 'queued',
      beneficiary: 1,
      created_at: server.now.toISOString(),
    })
    expect([...(alice?.html ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)).toEqual([
      'Livre numéro 2, à rendre le 20/02/2026',
      'Film numéro 1, à rendre le 01/03/2026',
      'Livre numéro 1, à rendre le 09/03/2026',
    ])
    expect(eric?.html).toContain('Bonjour Éric Dupont,')
  })

  it('leaves on each loan the day of its reminder, and none on the others', async () => {
    await send('recap')
    const loans = async () => {
      const { body } = await biblio.get('/api/loanings?status=in_progress')
      return body['hydra:member'] as { beneficiary: number; islate: boolean; reminded_on: string | null }[]
    }
    const reminded = async () => (await loans()).filter(({ reminded_on }) => reminded_on !== null)
    expect(await reminded()).toEqual([])
    await biblio.post('/api/beneficiaries/1/remind')
    expect((await reminded()).map(({ beneficiary }) => beneficiary)).toEqual([1, 1, 1])
    await send('reminders')
    // The others have no address.
    const written = (await loans()).filter(
      ({ islate, beneficiary }) => islate && [1, 2].includes(beneficiary),
    )
    expect(await reminded()).toEqual(written)
    expect(new Set(written.map(({ reminded_on }) => reminded_on))).toEqual(
      new Set([server.now.toISOString().slice(0, 10)]),
    )
  })

  it('reminds of the current site’s loans only', async () => {
    expect((await send('reminders', { site: 2 })).body).toMatchObject({ count: 1 })
    const [mail] = await queued()
    expect(mail?.html.match(/<li>/g)).toHaveLength(1)
    expect(mail?.html).toContain('Film numéro 1')
  })

  it.each([
    ['reminders', { count: 1, had_one_today: 1 }],
    ['recap', { count: 1, without_address: 1, had_one_today: 1 }],
  ] as const)('leaves out of %s who had one today, unless they are asked for too', async (what, left) => {
    await sql`update beneficiaries set email = 'néant' where id = 2`.execute(server.db)
    await send(what)
    await sql`update beneficiaries set email = 'eric@exemple.fr' where id = 2`.execute(server.db)
    expect((await biblio.post(`/api/mail/${what}?dry_run=1`)).body).toMatchObject(left)
    expect((await send(what)).body).toMatchObject(left)
    expect(await addresses()).toEqual(['alice@exemple.fr', 'eric@exemple.fr'])
    expect((await biblio.post(`/api/mail/${what}?dry_run=1`)).body).toMatchObject({
      count: 0,
      had_one_today: 2,
    })
    const again = await send(`${what}?again=1`)
    expect(again.body).toMatchObject({ count: 2 })
    expect(again.body).not.toHaveProperty('had_one_today')
    expect(await addresses()).toHaveLength(4)
  })

  it('leaves out of reminders who had the letter or the mail of the day, and nobody the day after', async () => {
    await sql`update loanings set reminded_on = '2026-03-10' where beneficiary = 1 and copy = 1`.execute(
      server.db,
    )
    expect((await biblio.post('/api/mail/reminders?dry_run=1')).body).toEqual({
      count: 1,
      without_address: 1,
      had_one_today: 1,
    })
    // Of the other site's loans nobody has written.
    expect((await biblio.post('/api/mail/reminders?dry_run=1', {}, { site: 2 })).body).toEqual({ count: 1 })
    await sql`update loanings set reminded_on = '2026-03-09'`.execute(server.db)
    expect((await biblio.post('/api/mail/reminders?dry_run=1')).body).toEqual({
      count: 2,
      without_address: 1,
    })
  })

  it('sends everyone the list of what they hold', async () => {
    expect((await biblio.post('/api/mail/recap?dry_run=1')).body).toEqual({ count: 2, without_address: 1 })
    expect(await send('recap')).toMatchObject({ status: 202, body: { count: 2 } })
    const [alice] = await queued()
    expect(alice).toMatchObject({ template: 'loaning_recap', subject: 'Vos emprunts en cours à Comptoir' })
    expect(alice?.html.match(/<li>/g)).toHaveLength(4)
  })

  it('queues nothing twice for a repeated key', async () => {
    const key = randomUUID()
    const first = await send('reminders', { key })
    const again = await send('reminders', { key })
    expect(again).toMatchObject({ status: first.status, body: first.body })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await addresses()).toEqual(['alice@exemple.fr', 'eric@exemple.fr'])
  })

  it('reminds one person, or says why not', async () => {
    expect(await biblio.post('/api/beneficiaries/2/remind')).toMatchObject({
      status: 202,
      body: { count: 1 },
    })
    expect(await addresses()).toEqual(['eric@exemple.fr'])
    expect(await biblio.post('/api/beneficiaries/3/remind')).toMatchObject({
      status: 422,
      body: {
        violations: [
          {
            propertyPath: 'loanings',
            message: 'Noémie Expirée n’a aucun prêt en retard ni à rendre aujourd’hui.',
          },
        ],
      },
    })
    expect(await biblio.post('/api/beneficiaries/4/remind')).toMatchObject({
      status: 422,
      body: {
        violations: [
          { propertyPath: 'email', message: 'Jean Sans-Courriel n’a pas d’adresse électronique valable.' },
        ],
      },
    })
    expect((await biblio.post('/api/beneficiaries/99/remind')).status).toBe(404)
    expect(await addresses()).toEqual(['eric@exemple.fr'])
  })

  it('reminds whoever has nothing late of what is due today, without calling it late', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      values (3, 7, 1, '2026-03-01', '2026-03-10', 1, 'DAY', now(), now()),
        (3, 8, 1, '2026-03-01', '2026-03-11', 1, 'DAY', now(), now()) returning id`.execute(server.db)
    expect((await biblio.post('/api/beneficiaries/3/remind')).status).toBe(202)
    const [mail] = await queued()
    expect(mail).toMatchObject({ template: 'loaning_recap', to_address: 'noemie@exemple.fr' })
    expect([...(mail?.html ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)).toEqual([
      'Livre numéro 7, à rendre le 10/03/2026',
    ])
    await server.db
      .deleteFrom('loanings')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  })

  it('takes for an address only what looks like one', async () => {
    await sql`update beneficiaries set email = 'néant' where id = 2`.execute(server.db)
    expect((await biblio.post('/api/mail/reminders?dry_run=1')).body).toEqual({
      count: 1,
      without_address: 2,
    })
    expect((await biblio.post('/api/beneficiaries/2/remind')).status).toBe(422)
    expect((await send('reminders')).body).toMatchObject({ count: 1 })
    expect(await addresses()).toEqual(['alice@exemple.fr'])
    await sql`update beneficiaries set email = 'eric@exemple.fr' where id = 2`.execute(server.db)
  })

  it('writes about one loan', async () => {
    const answer = await biblio.post('/api/mail', {
      loaning: '/api/loanings/3',
      template: 'loaning_creation',
    })
    expect(answer).toMatchObject({ status: 202, body: { count: 1 } })
    const [mail] = await queued()
    expect(mail).toMatchObject({ loaning: 3, beneficiary: 1, template: 'loaning_creation' })
    expect(mail?.html).toContain('<li>Livre numéro 3, à rendre le 10/03/2026</li>')
    const missing = await biblio.post('/api/mail', { loaning: 999, template: 'loaning_creation' })
    expect(missing).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'loaning' }] } })
    const unknown = await biblio.post('/api/mail', { loaning: 3, template: 'password_reset' })
    expect(unknown).toMatchObject({ status: 422, body: { violations: [{ propertyPath: 'template' }] } })
  })

  it('keeps an injected name as text', async () => {
    await sql`update beneficiaries set firstname = '<img src=x onerror=alert(1)>' where id = 2`.execute(
      server.db,
    )
    await biblio.post('/api/beneficiaries/2/remind')
    const [mail] = await queued()
    expect(mail?.html).toContain('Bonjour &lt;img src=x onerror=alert(1)&gt; Dupont')
    expect(mail?.html).not.toContain('<img')
    await sql`update beneficiaries set firstname = 'Éric' where id = 2`.execute(server.db)
  })

  it('says that a template is switched off or broken, and queues nothing', async () => {
    const body = sql`code = 'loaning_reminder' and type = 'body'`
    const { rows } = await sql<{ content: string }>`select content from mail_templates where ${body}`.execute(
      server.db,
    )
    await sql`update mail_templates set enabled = false where ${body}`.execute(server.db)
    for (const path of [
      '/api/mail/reminders?dry_run=1',
      '/api/mail/reminders',
      '/api/beneficiaries/1/remind',
    ]) {
      const answer = await biblio.post(path)
      expect(answer.status).toBe(422)
      expect(answer.body.violations[0].message).toMatch(/«\u00a0loaning_reminder\u00a0» est désactivé/)
    }
    await sql`update mail_templates set enabled = true, content = '{{ oups' where ${body}`.execute(server.db)
    for (const path of ['/api/mail/reminders', '/api/beneficiaries/1/remind']) {
      const answer = await biblio.post(path)
      expect(answer.status).toBe(422)
      expect(answer.body.violations[0].message).toMatch(/ne peut pas être lu \(corps, /)
    }
    expect(await queued()).toEqual([])
    await sql`update mail_templates set content = ${rows[0]?.content} where ${body}`.execute(server.db)
  })

  it('lists the mails, the last first, by status', async () => {
    await send('reminders')
    await sql`update mail_outbox set status = 'failed', attempts = 1, last_error = '550 <eric@exemple.fr> inconnu'
      where beneficiary = 2`.execute(server.db)
    const all = await biblio.get('/api/mail')
    expect(all.body['hydra:totalItems']).toBe(2)
    const failed = await biblio.get('/api/mail?filters[status|eq]=failed')
    expect(failed.body['hydra:member']).toMatchObject([
      {
        to_address: 'eric@exemple.fr',
        status: 'failed',
        attempts: 1,
        last_error: '550 <eric@exemple.fr> inconnu',
        beneficiary: 2,
      },
    ])
    expect((await biblio.get('/api/mail?status=lost')).status).toBe(400)
  })

  it('shows no address to those who may not see them', async () => {
    await sql`delete from profile_rights where right_code = 'BENEFICIARY_CONTACT'
      and profile = (select id from profiles where name = 'Bibliothécaire')`.execute(server.db)
    const other = await server.as('biblio')
    await other.post('/api/beneficiaries/2/remind')
    await sql`update mail_outbox set last_error = '550 <eric@exemple.fr> inconnu'`.execute(server.db)
    const { body } = await other.get('/api/mail')
    expect(body['hydra:member']).toMatchObject([{ beneficiary: 2, last_error: '550 <…> inconnu' }])
    expect(JSON.stringify(body)).not.toContain('eric@exemple.fr')
  })

  it('is for those who may send mail', async () => {
    for (const username of ['benevole', 'lecture']) {
      const person = await server.as(username)
      const bodies = { loaning: 3, template: 'loaning_creation' }
      const answers = [
        await person.post('/api/mail/reminders'),
        await person.post('/api/mail/recap'),
        await person.post('/api/mail', bodies),
        await person.post('/api/beneficiaries/1/remind'),
        await person.get('/api/mail'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    }
    expect((await server.anonymous.post('/api/mail/reminders')).status).toBe(401)
    expect(await queued()).toEqual([])
  })

  it('writes who sent mails in the journal', async () => {
    await send('recap', { site: 1 })
    const entry = await server.db
      .selectFrom('audit_journal')
      .select(['action', 'entity', 'after'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(entry).toEqual({ action: 'mail.recap', entity: 'jobs', after: { count: 2, sites: [1] } })
  })
})
