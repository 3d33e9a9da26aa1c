import { streamXlsxRows } from 'hucre/xlsx'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { Loan } from '../../src/contract/loans.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('loans as a file', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(async () => {
    await emptyTables(server.db, 'loanings')
    await sql`update copies set status = 'Disponible'`.execute(server.db)
  })

  const lend = async (beneficiary: number, copy: number, more: object = {}) =>
    (await admin.post('/api/loanings', { beneficiary, copy, ...more })).body as Loan
  const addReturned = (count: number) =>
    sql`
    insert into loanings (beneficiary, copy, site, start_date, end_date, return_date, duration_value, duration_type, amount, status, lent_at, lent_received_at)
    select 1 + n % 4, 1 + n % 10, 1, date '2025-01-01' + n % 300, date '2025-01-22' + n % 300, date '2025-01-06' + n % 300 + n % 40, 3, 'WEEK', 0,
      'finished', now(), now()
    from generate_series(1, ${count}::int) n`.execute(server.db)
  const csv = async (query = '', as = admin) => {
    const { body } = await as.get(`/api/export/loanings?export_type=csv${query}`)
    return parse<Record<string, string>>(body as Buffer, { bom: true, delimiter: ';', columns: true })
  }
  const xlsx = async (query = '') => {
    const { body } = await admin.get(`/api/export/loanings?${query}`)
    const rows = []
    for await (const { values } of streamXlsxRows(body as Buffer)) rows.push(values)
    return rows
  }

  it('is a spreadsheet unless said: days and amounts are such, titles are its first row', async () => {
    await lend(1, 1, { amount: '12.50', comment: '=1+1' })
    const answer = await admin.get('/api/export/loanings')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('spreadsheetml')
    // 9:00 in UTC is 10:00 at the library.
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="prets-20260310-100000.xlsx"',
    )
    const [titles = [], first = []] = await xlsx()
    const cell = (title: string) => first[titles.indexOf(title)]
    expect(cell('Article')).toBe('Livre numéro 1')
    expect(cell('Lecteur')).toBe('Alice Martin (M1)')
    expect(cell('Début')).toEqual(new Date('2026-03-10T00:00:00Z'))
    expect(cell('Montant')).toBe(12.5)
    expect(cell('Commentaire')).toBe('=1+1')
    expect(cell('Rendu le') ?? null).toBeNull()
  })

  it('is text with semicolons and decimal commas, in which nothing is a formula', async () => {
    await lend(2, 1, { amount: '12.50', comment: '=HYPERLINK("x")' })
    const [row] = await csv()
    expect(row).toMatchObject({
      Lecteur: 'Éric Dupont (M2)',
      Début: '10/03/2026',
      Montant: '12,50',
      Commentaire: `'=HYPERLINK("x")`,
      Statut: 'En cours',
    })
    const { body, headers } = await admin.get('/api/export/loanings?export_type=csv')
    expect((body as Buffer).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(headers.get('content-disposition')).toContain('.csv"')
  })

  it('has the columns that are asked for, in their order, in every type of file', async () => {
    await lend(1, 1, { comment: '-1' })
    const asked = '&columns=due,reference,comment'
    const { body } = await admin.get(`/api/export/loanings?export_type=csv${asked}`)
    expect((body as Buffer).toString().trim()).toBe(
      `Retour prévu;Article;Commentaire\r\n31/03/2026;Livre numéro 1;'-1`,
    )
    expect((await xlsx(asked))[0]).toEqual(['Retour prévu', 'Article', 'Commentaire'])
    expect((await xlsx())[0]).toHaveLength(25)
    const pdf = await admin.get(`/api/export/loanings?export_type=pdf${asked}`)
    const [page] = readPdf(pdf.body as Buffer)
    expect(page?.text).toMatch(/Retour prévu[\s\S]*Article[\s\S]*Commentaire/)
    expect(page?.text).not.toContain('Lecteur')
    const unknown = await admin.get('/api/export/loanings?columns=reference,password')
    expect(unknown.status).toBe(422)
    expect(JSON.stringify(unknown.body)).toContain('n’est pas une colonne de ce fichier')
  })

  it('tells the codes that accounts know: of the medium at the site of the loan, and of the medium', async () => {
    await sql`insert into media_analytics values (1, 1, 'A-LIV'), (1, 2, 'B-LIV') on conflict do nothing`.execute(
      server.db,
    )
    await sql`update media set accounting_code = '706100' where id = 1`.execute(server.db)
    await lend(1, 1)
    await lend(1, 11)
    const rows = await csv('&order[reference_name]=desc')
    expect(rows.map((row) => [row['Article'], row['Code analytique'], row['Code comptable']])).toEqual([
      ['Livre numéro 1', 'A-LIV', '706100'],
      ['Film numéro 1', '', ''],
    ])
  })

  it('holds what the list holds under the same filters, in the same order, beyond any page', async () => {
    await addReturned(1200)
    for (const query of [
      '&filters[category|in]=1&order[beneficiary_lastname]=asc&order[start_date]=desc',
      '&islate=1&order[reference_name]=desc',
      '&filters[start_date|gte]=2025-06-01&filters[benefsearchname|like]=dup',
    ]) {
      const pages = []
      for (let page = 1; ; page += 1) {
        const { body } = await admin.get(`/api/loanings?limit=500&page=${page}${query}`)
        const members = body['hydra:member'] as Loan[]
        pages.push(
          ...members.map((loan) => `${loan.copy_barcode} ${loan.beneficiary_name} ${loan.start_date}`),
        )
        if (members.length < 500) break
      }
      const written = (await csv(query)).map(
        (row) => `${row['Code-barres']} ${row['Lecteur']} ${row['Début']?.split('/').reverse().join('-')}`,
      )
      expect(pages.length).toBeGreaterThan(10)
      expect(written).toEqual(pages)
    }
  })

  it('is pages to print', async () => {
    await addReturned(100)
    const { body, headers } = await admin.get('/api/export/loanings?export_type=pdf')
    expect(headers.get('content-type')).toBe('application/pdf')
    const text = (body as Buffer).toString('latin1')
    expect(text).toMatch(/^%PDF-/)
    expect(text).toMatch(/%%EOF\s*$/)
    expect(text.match(/\/Type \/Page\b/g)).toHaveLength(4)
  })

  it('is there when there is nothing to write', async () => {
    expect(await csv()).toEqual([])
    expect(await xlsx()).toHaveLength(1)
    const { body } = await admin.get('/api/export/loanings?export_type=pdf')
    expect((body as Buffer).toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  })

  it('holds no more than the list shows: the history to those who may read it, open sites, readers in sight', async () => {
    const back = await lend(1, 1)
    await admin.post(`/api/loanings/${back.id}/return`)
    await lend(2, 2)
    await sql`update loanings set return_date = '2026-01-05', start_date = '2026-01-01', end_date = '2026-01-22' where id = ${back.id}`.execute(
      server.db,
    )
    expect(await csv()).toHaveLength(2)
    expect(await csv('', await server.as('lecture'))).toHaveLength(1)
    const { token } = await server.as('biblio')
    expect(token).not.toBeNull()
    const elsewhere = await admin.get('/api/export/loanings?export_type=csv', { site: 2 })
    expect((elsewhere.body as Buffer).toString().trim().split('\r\n')).toHaveLength(1)
  })

  it('refuses a type that it does not know, and an unknown filter', async () => {
    const answer = await admin.get('/api/export/loanings?export_type=exe')
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body.message).toContain('export_type')
    expect((await admin.get('/api/export/loanings?filters[nom|eq]=1')).status).toBe(400)
  })
})
