import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import { readPdf } from '../pdf/read-pdf.ts'
import { clearCounter } from '../visibility/two-sites.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('what is kept of one reader', (server) => {
  const clients: Record<string, Client> = {}
  beforeAll(async () => {
    for (const name of ['admin', 'biblio', 'benevole', 'lecture']) clients[name] = await server.as(name)
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await clearCounter(server, false)
    await sql`truncate audit_journal restart identity cascade`.execute(server.db)
    await sql`insert into loanings (beneficiary, copy, site, status, start_date, end_date, return_date, comment, duration_value, duration_type, lent_at, lent_received_at) values
      (2, 1, 1, 'finished', '2025-10-01', '2025-10-08', '2025-10-08', 'fragile', 7, 'DAY', '2025-10-01', '2025-10-01'),
      (2, 2, 1, 'in_progress', '2026-03-01', '2026-03-20', null, '', 7, 'DAY', '2026-03-01', '2026-03-01'),
      (1, 3, 1, 'finished', '2025-10-01', '2025-10-08', '2025-10-08', '', 7, 'DAY', '2025-10-01', '2025-10-01')`.execute(
      server.db,
    )
    await sql`insert into sales (beneficiary, copy, site, date, price, sold_at, sold_received_at)
      values (2, 5, 1, '2026-03-01', 2, '2026-03-01', '2026-03-01')`.execute(server.db)
    await sql`insert into mail_outbox (to_address, subject, html, template, beneficiary, status, created_at, next_attempt_at, attempts)
      values ('eric@exemple.fr', 'Votre retard', 'Éric', 'late_1', 2, 'sent', now(), now(), 1)`.execute(
      server.db,
    )
    await clients['admin']!.post('/api/reservations', { beneficiary_id: 2, reference_id: 3 })
    await clients['admin']!.put('/api/beneficiaries/2', { message: 'à rappeler' })
  })
  const fileOf = async (name: string, type: string) => {
    const answer = await clients[name]!.get(`/api/beneficiaries/2/data?export_type=${type}`)
    expect(answer.status).toBe(200)
    return answer.body as Buffer
  }
  const textOf = async (name: string) =>
    readPdf(await fileOf(name, 'pdf'))
      .map(({ text }) => text)
      .join('\n')
  const actions = async () => {
    const { rows } = await sql<{ action: string; user_id: number }>`
      select action, user_id from audit_journal where action in ('beneficiaries.history_read', 'beneficiaries.data') order by id`.execute(
      server.db,
    )
    return rows.map(({ action }) => action.split('.')[1])
  }

  it('is handed over whole, for a program and on paper', async () => {
    const told = JSON.parse((await fileOf('admin', 'json')).toString())
    expect(told).toMatchObject({
      format: 'comptoir-personal-data-1',
      reader: { lastname: 'Dupont', email: 'eric@exemple.fr', relatives: [{ name: 'Zoé Dupont' }] },
      loans: [{ status: 'in_progress' }, { comment: 'fragile' }],
      reservations: [{ reference_name: 'Livre numéro 3' }],
      sales: [{ price: '2.00' }],
      mails: [{ subject: 'Votre retard' }],
      left_out: [],
    })
    expect(told.journal[0].changes).toContainEqual({ field: 'Message', before: null, after: 'à rappeler' })
    const text = await textOf('admin')
    for (const words of ['Éric Dupont', 'Zoé Dupont', 'Livre numéro 1', 'Votre retard', 'à rappeler'])
      expect(text).toContain(words)
    expect(text).not.toContain('Livre numéro 4')
    expect(await actions()).toEqual(['data', 'data'])
  })

  it('leaves out, and says so, what its maker may not see', async () => {
    const told = JSON.parse((await fileOf('lecture', 'json')).toString())
    expect(told.left_out).toContain('mails')
    expect(told.left_out).toContain('journal')
    expect(told.loans.map(({ status }: { status: string }) => status)).toEqual(['in_progress'])
    expect(told.loans_returned_since).toBe('2026-03-10')
    expect(told.reader).not.toHaveProperty('email')
    expect(JSON.stringify(told)).not.toContain('fragile')
    const text = await textOf('lecture')
    expect(text).toContain('n’y a pas accès')
  })

  it('has in its journal who read the past loans, once an hour', async () => {
    const asks = async (name: string, query: string) => {
      expect((await clients[name]!.get(`/api/loanings?${query}`)).status).toBe(200)
    }
    await asks('admin', 'filters[beneficiary]=2&filters[status]=in_progress')
    await asks('admin', 'beneficiary=2&status=in_progress')
    await asks('admin', '')
    // Whoever may not see the history reads none of it.
    await asks('lecture', 'filters[beneficiary]=2')
    expect(await actions()).toEqual([])

    await asks('admin', 'filters[beneficiary]=2')
    await asks('admin', 'filters[beneficiary]=2&page=1&limit=5')
    expect(await actions()).toEqual(['history_read'])
    await asks('biblio', 'benefsearchname=Dupont')
    expect(await actions()).toEqual(['history_read', 'history_read'])
    server.moveTo('2026-03-10T10:01:00.000Z')
    expect(
      (await clients['admin']!.get('/api/export/loanings?export_type=csv&filters[beneficiary]=2')).status,
    ).toBe(200)
    expect(await actions()).toHaveLength(3)
    const { body } = await clients['admin']!.get('/api/journal?entity=beneficiaries&id=2')
    expect(body['hydra:member'][0]).toMatchObject({ action: 'Lecture de ses prêts passés', changes: [] })
  })

  it('is read on where that cannot be written', async () => {
    await sql`alter table audit_journal rename to audit_journal_away`.execute(server.db)
    try {
      const { status, body } = await clients['admin']!.get('/api/loanings?filters[beneficiary]=2')
      expect(status).toBe(200)
      expect(body['hydra:member']).toHaveLength(2)
    } finally {
      await sql`alter table audit_journal_away rename to audit_journal`.execute(server.db)
    }
  })
})
