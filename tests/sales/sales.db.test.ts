import { randomUUID } from 'node:crypto'

import { streamXlsxRows } from 'hucre/xlsx'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Sale } from '../../src/contract/sales.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'

describeServer('selling a copy', (server) => {
  let admin: Client
  beforeAll(async () => (admin = await server.as('admin')))
  beforeEach(async () => {
    server.moveTo(testNow)
    await emptyTables(server.db, 'sales', 'loanings', 'audit_journal')
    await sql`update copies set status = 'Disponible', deleted_at = null, withdrawn_on = null, withdrawal_reason = null,
      state = 'VERY_GOOD', price = null, type = case when id <= 4 then 'Vente' else 'Location' end`.execute(
      server.db,
    )
  })
  const sell = (copy: number, more: object = {}) =>
    admin.post('/api/sales', { beneficiary: 1, copy, ...more })
  const sold = async (copy: number, more: object = {}) => (await sell(copy, more)).body as Sale
  const copyOf = async (id: number) => (await admin.get(`/api/copies?id|eq=${id}`)).body['hydra:member'][0]
  const withdrawal = async (id: number) =>
    (
      await sql`select withdrawn_on, withdrawal_reason, deleted_at is not null as gone from copies where id = ${id}`.execute(
        server.db,
      )
    ).rows[0]

  it('takes what a loan takes, at the copy’s price, and the copy leaves the stock', async () => {
    await sql`update copies set price = 4.5 where id = 1`.execute(server.db)
    const answer = await admin.post('/api/sales', {
      beneficiary: '/api/beneficiaries/2',
      relative: 1,
      copy: '/api/copies/1',
      duration_type: 'WEEK',
      duration_value: 3,
      comment: 'braderie',
      expected_return_date: '2026-03-31',
      conditions_given: true,
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      '@type': 'Sale',
      beneficiary: 2,
      beneficiary_info: 'M2 - Dupont Éric',
      relative: { id: 1, name: 'Zoé Dupont' },
      copy: 1,
      copy_barcode: '1001',
      reference_name: 'Livre numéro 1',
      category: 'Roman',
      date: '2026-03-10',
      // Once, however long a loan would be.
      price: '4.50',
      comment: 'braderie',
      sold_by: 'admin',
    })
    expect(await copyOf(1)).toMatchObject({ status_name: 'Non Disponible', sold_on: '2026-03-10' })
    expect(await withdrawal(1)).toEqual({
      withdrawn_on: '2026-03-10',
      withdrawal_reason: 'Vendu',
      gone: false,
    })
    expect((await admin.get(`/api/sales/${answer.body.id}`)).body).toEqual(answer.body)
  })

  it('takes the amount that is typed, and nothing for a free one, with its reason', async () => {
    expect((await sold(1, { amount: '2.5' })).price).toBe('2.50')
    expect((await sold(2)).price).toBe('0.25')
    const { body: reasons } = await admin.get('/api/reasons?type=free')
    const reason = reasons['hydra:member'][0]
    expect(await sold(3, { free: true, free_reason: reason.id })).toMatchObject({
      price: '0.00',
      free: true,
      free_reason: { id: reason.id, name: reason.name },
    })
    const refused = await sell(4, { free_reason: reason.id })
    expect([refused.status, refused.body.violations]).toEqual([
      422,
      [{ propertyPath: 'free_reason', message: 'Un motif de gratuité demande une vente gratuite.' }],
    ])
  })

  it('asks of the reader only to be active, not what their loans or the medium’s rules say', async () => {
    await sql`update media set max_loaning = 0, eligibility = '{"contracts":["CDX"],"statuses":[],"dossiers":[]}' where id = 1`.execute(
      server.db,
    )
    expect((await sell(1)).status).toBe(201)
    await sql`update media set max_loaning = 5, eligibility = '{"contracts":[],"statuses":[],"dossiers":[]}' where id = 1`.execute(
      server.db,
    )
    const expired = await sell(2, { beneficiary: 3 })
    expect([expired.status, expired.body.violations]).toEqual([
      422,
      [{ propertyPath: 'beneficiary', message: 'L’inscription a pris fin le 01/01/2020.' }],
    ])
    expect((await copyOf(2)).status_name).toBe('Disponible')
  })

  it.each([
    ['one that is lent', 5, 422, '«\u00a0Livre numéro 5\u00a0» se prête et ne se vend pas.'],
    ['none', 999, 422, 'Cet exemplaire n’existe pas.'],
  ])('refuses %s', async (_, copy, status, message) => {
    const answer = await sell(copy)
    expect([answer.status, answer.body.violations]).toEqual([status, [{ propertyPath: 'copy', message }]])
  })

  it('refuses what was sold, is out or was withdrawn, in a sentence', async () => {
    await sold(1)
    await admin.post('/api/loanings', { beneficiary: 2, copy: 5 })
    await sql`update copies set type = 'Vente' where id = 5`.execute(server.db)
    await admin.delete('/api/copies/2')
    await admin.put('/api/copies/3', { status: 'Non Disponible' })
    const told = await Promise.all([1, 5, 2, 3].map((copy) => sell(copy, { beneficiary: 2 })))
    expect(told.map(({ status, body }) => [status, body.reason, body.message])).toEqual([
      [409, 'COPY_UNAVAILABLE', '«\u00a0Livre numéro 1\u00a0» a été vendu le 10/03/2026.'],
      [
        409,
        'ALREADY_LENT',
        '«\u00a0Livre numéro 5\u00a0» est prêté à Éric Dupont (M2)\u202f: il se vend une fois rendu.',
      ],
      [409, 'COPY_WITHDRAWN', '«\u00a0Livre numéro 2\u00a0» a été retiré du catalogue.'],
      [409, 'COPY_UNAVAILABLE', '«\u00a0Livre numéro 3\u00a0» n’est pas disponible (Non Disponible).'],
    ])
  })

  it('is dated today, or before, within a year', async () => {
    expect((await sold(1, { start_date: '2026-03-01' })).date).toBe('2026-03-01')
    const refused = await Promise.all(
      ['2026-03-11', '2024-01-01'].map((start_date) => sell(2, { start_date })),
    )
    expect(refused.map(({ body }) => body.violations)).toEqual([
      [{ propertyPath: 'start_date', message: 'Une vente ne se date pas d’avance.' }],
      [{ propertyPath: 'start_date', message: 'La date de la vente est à plus d’un an d’aujourd’hui.' }],
    ])
  })

  it('is refused at a site out of service, as a loan is', async () => {
    await sql`update sites set enabled = false where id = 2`.execute(server.db)
    try {
      const answer = await admin.post('/api/sales', { beneficiary: 1, copy: 1 }, { site: 2 })
      expect([answer.status, answer.body.reason]).toEqual([403, 'SITE_CLOSED'])
      expect((await sell(1)).status).toBe(201)
    } finally {
      await sql`update sites set enabled = true where id = 2`.execute(server.db)
    }
  })

  it('is done once however often it is asked with its key', async () => {
    const key = randomUUID()
    const ask = () => admin.post('/api/sales', { beneficiary: 1, copy: 1 }, { key })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      201,
      'true',
    ])
    expect(again.body).toEqual(first.body)
    const { 'hydra:totalItems': total } = (await admin.get('/api/sales')).body
    expect(total).toBe(1)
  })

  it('keeps a sold copy from being lent, made available, sold or sent, and keeps its history', async () => {
    await admin.post('/api/loanings', { beneficiary: 1, copy: 5 })
    await admin.post('/api/loanings/return', { bar_code: '1005' })
    await admin.put('/api/copies/5', { type: 'Vente' })
    await sold(5)
    const lent = await admin.post('/api/loanings', { beneficiary: 1, copy: 5 })
    const fast = await admin.post('/api/loanings/fast', { beneficiary: 1, copy: 5 })
    const available = await admin.put('/api/copies/5', { status: 'Disponible' })
    expect([lent.status, fast.status, available.status]).toEqual([409, 200, 409])
    expect(fast.body.error).toContain('n’est pas disponible')
    expect(available.body.message).toBe(
      '«\u00a0Livre numéro 5\u00a0» a été vendu le 10/03/2026\u202f: sa disponibilité ne se change pas.',
    )
    const loans = await admin.get('/api/loanings?copy=5&status=finished')
    expect(loans.body['hydra:totalItems']).toBe(1)
    // The return of before is not taken back over the sale.
    const undone = await admin.post(`/api/loanings/${loans.body['hydra:member'][0].id}/undo`)
    expect(undone.body.reason).toBe('COPY_MOVED_ON')
  })

  it('keeps the database itself from putting a sold copy back among the others', async () => {
    await sold(1)
    for (const status of ['Disponible', 'En Location', 'En transfert']) {
      await expect(sql`update copies set status = ${status} where id = 1`.execute(server.db)).rejects.toThrow(
        'copies_gone_stay',
      )
    }
    const twice = sql`insert into sales (beneficiary, copy, site, date, price, sold_at, sold_received_at) values (2, 1, 1, '2026-03-10', 1, now(), now())`
    await expect(twice.execute(server.db)).rejects.toThrow('sales_copy')
  })

  describe('taken back', () => {
    it('is so the same day, and its copy is to be had again', async () => {
      const { id } = await sold(1)
      expect((await admin.delete(`/api/sales/${id}`)).status).toBe(204)
      expect(await copyOf(1)).toMatchObject({ status_name: 'Disponible', sold_on: null })
      expect(await withdrawal(1)).toEqual({ withdrawn_on: null, withdrawal_reason: null, gone: false })
      expect((await admin.get(`/api/sales/${id}`)).status).toBe(404)
      expect((await admin.delete(`/api/sales/${id}`)).status).toBe(404)
      expect((await sell(1)).status).toBe(201)
    })

    it('is refused in a sentence from the next day on, by the library’s clock', async () => {
      const { id } = await sold(1)
      server.moveTo('2026-03-10T22:59:00.000Z')
      const later = await server.as('admin')
      const { body: other } = await later.post('/api/sales', { beneficiary: 1, copy: 2 })
      server.moveTo('2026-03-10T23:01:00.000Z')
      for (const one of [id, other.id]) {
        const answer = await later.delete(`/api/sales/${one}`)
        expect([answer.status, answer.body.reason, answer.body.message]).toEqual([
          409,
          'TOO_LATE',
          'Cette vente est du 10/03/2026\u202f: une vente ne se supprime que le jour même.',
        ])
      }
      expect(await withdrawal(1)).toMatchObject({ withdrawal_reason: 'Vendu' })
    })

    it('leaves a copy withdrawn that was so meanwhile, since the day it was sold', async () => {
      const { id } = await sold(1, { start_date: '2026-03-10' })
      await admin.delete('/api/copies/1?reason=Emporté')
      expect(await withdrawal(1)).toEqual({
        withdrawn_on: '2026-03-10',
        withdrawal_reason: 'Vendu',
        gone: true,
      })
      expect((await admin.delete(`/api/sales/${id}`)).status).toBe(204)
      expect(await withdrawal(1)).toMatchObject({ gone: true })
    })

    it('takes LOANING_SELL, not the right to see them', async () => {
      const { id } = await sold(1)
      const benevole = await server.as('benevole')
      expect((await benevole.delete(`/api/sales/${id}`)).status).toBe(403)
      expect((await benevole.post('/api/sales', { beneficiary: 1, copy: 2 })).status).toBe(403)
      expect((await benevole.get(`/api/sales/${id}`)).status).toBe(200)
    })
  })

  describe('as a list', () => {
    const seed = async () => {
      await sold(1, { start_date: '2026-03-08', amount: '3.00' })
      await sold(2, { beneficiary: 2, amount: '10.00' })
      await sold(3, { beneficiary: 4, start_date: '2026-03-09', amount: '2.00' })
    }
    const copies = async (query = '') =>
      (await admin.get(`/api/sales?${query}`)).body['hydra:member'].map(({ copy }: Sale) => copy)

    it('is by date, the last first, unless another order is asked for', async () => {
      await seed()
      expect(await copies()).toEqual([2, 3, 1])
      expect(await copies('order[date]=asc')).toEqual([1, 3, 2])
      expect(await copies('order[price]=desc')).toEqual([2, 1, 3])
      expect(await copies('order[beneficiary_lastname]=asc')).toEqual([2, 1, 3])
      expect(await copies('order[reference_name]=desc')).toEqual([3, 2, 1])
      expect(await copies('order[category]=asc')).toHaveLength(3)
      expect(await copies('limit=1&page=2')).toEqual([3])
    })

    it('is found by reader, by copy and by day', async () => {
      await seed()
      expect(await copies('filters[benefsearchname|like]=dupont')).toEqual([2])
      expect(await copies('filters[copysearchname|like]=numero 3')).toEqual([3])
      expect(await copies('copysearchname=zola 1')).toEqual([1])
      expect(await copies('copysearchname=1002')).toEqual([2])
      expect(await copies('filters[date|eq]=2026-03-09')).toEqual([3])
      expect(await copies('date=2026-03-08')).toEqual([1])
      expect(await copies('beneficiary=4')).toEqual([3])
      expect((await admin.get('/api/sales?filters[date|like]=2026')).status).toBe(400)
      expect((await admin.get('/api/sales?filters[nom|eq]=x')).status).toBe(400)
    })

    it('keeps to the current site, which is the counter’s where it was sold', async () => {
      await admin.post('/api/sales', { beneficiary: 1, copy: 1 }, { site: 2 })
      await admin.post('/api/sales', { beneficiary: 1, copy: 2 }, { site: 1 })
      const at = async (site: number) =>
        (await admin.get('/api/sales', { site })).body['hydra:member'].map(({ copy }: Sale) => copy)
      expect([await at(1), await at(2), await at(0)]).toEqual([[2], [1], [2, 1]])
    })

    it('names no reader of a site that is closed to the person', async () => {
      await sold(1, { beneficiary: 4 })
      await sold(2)
      await setParameter(server, 'by_site_beneficiaries', '1')
      await sql`insert into user_sites select id, 1 from users where username = 'biblio'`.execute(server.db)
      const biblio = await server.as('biblio')
      const { body } = await biblio.get('/api/sales?order[beneficiary_lastname]=asc')
      expect(body['hydra:member'].map(({ beneficiary_name }: Sale) => beneficiary_name)).toEqual([
        'Alice Martin (M1)',
        'Lecteur d’un autre site',
      ])
      expect((await biblio.get('/api/sales?benefsearchname=jean')).body['hydra:totalItems']).toBe(0)
      await sql`delete from user_sites`.execute(server.db)
      await setParameter(server, 'by_site_beneficiaries', '0')
    })

    it('is a spreadsheet of the same rows in the same order, or text', async () => {
      await seed()
      const xlsx = await admin.get('/api/export/sales?order[date]=asc')
      expect(xlsx.headers.get('content-disposition')).toBe(
        'attachment; filename="ventes-20260310-100000.xlsx"',
      )
      const rows = []
      for await (const { values } of streamXlsxRows(xlsx.body as Buffer)) rows.push(values)
      const [titles = [], first = []] = rows
      const cell = (title: string) => first[titles.indexOf(title)]
      expect([cell('Lecteur'), cell('Référence'), cell('Catégorie'), cell('Date'), cell('Prix')]).toEqual([
        'Alice Martin (M1)',
        'Livre numéro 1',
        'Roman',
        new Date('2026-03-08T00:00:00Z'),
        3,
      ])
      const csv = await admin.get(
        '/api/export/sales?export_type=csv&date|gte=2026-03-09&columns=bar_code,price,accounting_code',
      )
      const lines = parse<Record<string, string>>(csv.body as Buffer, {
        bom: true,
        delimiter: ';',
        columns: true,
      })
      expect(lines).toEqual([
        { 'Code-barres': '1002', Prix: '10,00', 'Code comptable': '' },
        { 'Code-barres': '1003', Prix: '2,00', 'Code comptable': '' },
      ])
    })
  })

  it('has its journal, for who may sell', async () => {
    const { id } = await sold(1, { comment: 'braderie' })
    const { body } = await admin.get(`/api/journal?entity=sales&id=${id}`)
    expect(body['hydra:member']).toMatchObject([{ action: 'Vente', who: 'admin' }])
  })
})
