import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { remindOfToday } from '../../src/server/mail/daily-reminders.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { clearCounter, openTwoSites, type TwoSites } from '../visibility/two-sites.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

// Jean (4) of Annexe has no address; Alice (1) and Éric (2) of Centre lose theirs here.
describeServer('letters to whom no mail reaches', (server) => {
  let people: TwoSites
  let admin: Client
  beforeAll(async () => {
    people = await openTwoSites(server)
    admin = people.chef
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
    await sql`update beneficiaries set email = null where id in (1, 2)`.execute(server.db)
    await sql`update beneficiaries set address = ${'12 rue des Lilas\n38610'}, commune = 'Gières' where id = 1`.execute(
      server.db,
    )
    await sql`update beneficiaries set address = '3 place de l’Étoile', commune = 'Échirolles' where id = 4`.execute(
      server.db,
    )
    await emptyTables(
      server.db,
      'loan_reminders',
      'letters',
      'mail_outbox',
      'reminder_days',
      'jobs',
      'loanings',
    )
    await sql`insert into loanings (beneficiary, copy, site, start_date, end_date, duration_value, duration_type, lent_at, lent_received_at)
      select *, '2026-02-01', '2026-03-01', 1, 'DAY', now(), now() from (values (1, 1, 1), (1, 2, 1), (2, 3, 1), (4, 12, 2)) l`.execute(
      server.db,
    )
  })
  const remind = async () => {
    const answer = await admin.post('/api/mail/reminders')
    await server.doJobs()
    return answer
  }
  const letters = async (query = '', as = admin) =>
    (await as.get(`/api/letters?${query}`)).body['hydra:member'] as {
      id: number
      name: string
      status: string
      loans: number
      template: string
    }[]
  const pages = async (query = '', as = admin) => {
    const { status, body, headers } = await as.get(`/api/export/letters?${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    return readPdf(body as Buffer).map(({ text }) => text)
  }

  it('are made by reminders of those who are late, and counted beforehand', async () => {
    expect((await admin.post('/api/mail/reminders?dry_run=1')).body).toEqual({ count: 0, without_address: 3 })
    expect(await remind()).toMatchObject({ status: 202, body: { count: 0, without_address: 3 } })
    // By place, then name; without a place at the end.
    expect(await letters()).toMatchObject([
      { name: 'Jean Sans-Courriel', commune: 'Échirolles', loans: 1, status: 'to_print', why: 'no_address' },
      {
        name: 'Alice Martin',
        commune: 'Gières',
        loans: 2,
        status: 'to_print',
        address: '12 rue des Lilas\n38610',
      },
      { name: 'Éric Dupont', commune: null, loans: 1, status: 'to_print' },
    ])
    expect(await server.db.selectFrom('mail_outbox').selectAll().execute()).toEqual([])
    // Asked for again, a reader has one letter.
    await remind()
    expect(await letters()).toHaveLength(3)
  })

  it('come from the levels of the day as well, the highest that was reached', async () => {
    await sql`update mail_templates set enabled = true where code in ('before_due', 'late_1', 'late_2')`.execute(
      server.db,
    )
    await remindOfToday(server.environment, { now: () => server.now })
    expect(new Set((await letters()).map(({ template }) => template))).toEqual(new Set(['late_1']))
    server.moveTo('2026-03-17T09:00:00.000Z')
    await remindOfToday(server.environment, { now: () => server.now })
    // The session of a week ago is over.
    server.moveTo(testNow)
    expect((await letters()).map(({ template }) => template)).toEqual(['late_2', 'late_2', 'late_2'])
    await sql`update mail_templates set enabled = false where code in ('before_due', 'late_1', 'late_2')`.execute(
      server.db,
    )
  })

  it('are one PDF in the order of the list, with a sheet that says who it was for', async () => {
    await remind()
    const [first = '', second = '', third = '', last = '', ...others] = await pages()
    expect(others).toEqual([])
    expect(first).toContain('Jean Sans-Courriel')
    expect(first).toContain('ECHIROLLES')
    expect(second).toContain('Alice Martin')
    expect(second).toContain('12 rue des Lilas')
    expect(second).toContain('GIERES')
    expect(second).toContain('Des retours sont attendus à Comptoir')
    expect(second).toContain('Livre numéro 2, à rendre le 01/03/2026')
    expect(second).toContain('Le 10/03/2026')
    expect(third).toContain('Éric Dupont')
    expect(last).toContain('3 lettres, le 10/03/2026')
    expect(last).toContain('2. Alice Martin, Gières (2 prêts)')
    expect(last).toContain('3. Éric Dupont, sans adresse postale (1 prêt)')
  })

  it('are printed where the window of the envelope is', async () => {
    await remind()
    const { body } = await admin.get('/api/export/letters')
    const at = placesOf(body as Buffer)
    // Millimetres from the left and the top: seen wherever the sheet lies in its envelope.
    expect(at.left).toBeGreaterThanOrEqual(100)
    expect(at.left).toBeLessThan(110)
    expect(at.top).toBeGreaterThan(45)
    expect(at.top).toBeLessThan(79)
  })

  it('are printed only when somebody says so, and again as often as one likes', async () => {
    await remind()
    const [jean, alice, eric] = await letters()
    if (!jean || !alice || !eric) throw new Error('a letter is missing')
    await pages(`filters[id|in]=${alice.id}`)
    expect((await letters('status=to_print')).map(({ id }) => id)).toEqual([jean.id, alice.id, eric.id])
    const ids = [alice.id, jean.id]
    expect(await admin.post('/api/letters/printed', { letters: ids })).toMatchObject({
      status: 200,
      body: { letters: ids.toSorted((one, other) => one - other) },
    })
    expect((await admin.post('/api/letters/printed', { letters: ids })).body).toEqual({ letters: [] })
    expect(await letters('status=printed')).toMatchObject([
      { id: jean.id, printed_at: testNow, printed_by: 'chef', loans: 1 },
      { id: alice.id, printed_at: testNow, loans: 2 },
    ])
    expect((await pages(`filters[id|in]=${alice.id}`))[0]).toContain('Alice Martin')
    const { body } = await admin.get('/api/loanings?status=in_progress&beneficiary=1')
    expect(body['hydra:member'][0].reminded_on).toBe('2026-03-10')
    expect((await admin.post('/api/letters/printed', { letters: [9999] })).status).toBe(404)
  })

  it('stop where everything is given back before they are printed', async () => {
    await remind()
    await sql`update loanings set status = 'finished', return_date = '2026-03-10' where beneficiary = 1`.execute(
      server.db,
    )
    expect((await letters()).map(({ name, status }) => [name, status])).toEqual([
      ['Jean Sans-Courriel', 'to_print'],
      ['Alice Martin', 'stopped'],
      ['Éric Dupont', 'to_print'],
    ])
    expect((await pages()).join('\n')).not.toContain('Alice')
    await sql`update loanings set status = 'finished', return_date = '2026-03-10'`.execute(server.db)
    expect(await pages()).toEqual([expect.stringContaining('Aucune lettre à imprimer, le 10/03/2026')])
  })

  it('are those of open sites, for who may read postal addresses', async () => {
    await remind()
    expect((await letters('', people.centre)).map(({ name }) => name)).toEqual([
      'Alice Martin',
      'Éric Dupont',
    ])
    expect((await pages('', people.annexe)).join('\n')).not.toContain('Alice')
    const [alice] = await letters('beneficiary=1')
    expect((await people.annexe.post('/api/letters/printed', { letters: [alice!.id] })).status).toBe(404)
    const lecture = await server.as('lecture')
    for (const path of ['/api/letters', '/api/export/letters'])
      expect((await lecture.get(path)).status).toBe(403)
  })
})

/** Where the first line of the first letter's address begins. */
function placesOf(file: Buffer): { left: number; top: number } {
  const [page] = readPdf(file)
  const place = page?.lines.find(({ text }) => text.includes('Jean Sans-Courriel'))
  return { left: ((place?.x ?? 0) * 25.4) / 72, top: ((place?.y ?? 0) * 25.4) / 72 }
}
