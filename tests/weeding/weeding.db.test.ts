import { streamXlsxRows } from 'hucre/xlsx'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { ActRow } from '../../src/contract/acts.ts'
import type { CartLine, ExaminedCopy } from '../../src/contract/weeding.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { openTwoSites, type TwoSites } from '../visibility/two-sites.ts'
import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer, testNow } from '../support/test-server.ts'
import { seedStock } from './stock.ts'

describeServer('weeding', (server) => {
  let admin: Client
  let biblio: Client
  beforeAll(async () => {
    admin = await server.as('admin', 'appareil-1')
    biblio = await server.as('biblio')
  })
  beforeEach(async () => {
    server.moveTo(testNow)
    await seedStock(server)
  })

  const rows = async (query = '', client = admin) => {
    const { status, body } = await client.get(`/api/weeding?limit=100&${query}`)
    expect([status, body.message]).toEqual([200, undefined])
    const found = body['hydra:member'] as ExaminedCopy[]
    expect(body['hydra:totalItems']).toBe(found.length)
    return found
  }
  const codes = async (query = '', client = admin) =>
    (await rows(query, client)).map(({ bar_code }) => bar_code)
  const cart = async (query = '', client = admin) => {
    const { status, body } = await client.get(`/api/weeding/cart?limit=100&${query}`)
    expect([status, body.message]).toEqual([200, undefined])
    return body as { 'hydra:member': CartLine[]; 'hydra:totalItems': number; stopped: number; value: string }
  }
  const inCart = async (client = admin) =>
    (await cart('order[bar_code]=asc', client))['hydra:member'].map(({ bar_code }) => bar_code)
  const put = async (copies: number[], why = '', client = admin) => {
    const { status, body } = await client.post('/api/weeding/cart', { copies, why })
    expect([status, body.message]).toEqual([200, undefined])
    return body
  }
  const scan = async (code: string, client = admin, site?: number) => {
    const { status, body } = await client.post(
      '/api/weeding/cart/scan',
      { codes: [code] },
      site ? { site } : {},
    )
    expect([status, body.message]).toEqual([200, undefined])
    return body
  }
  const withdraw = async (of: object = {}, client = admin) => {
    const asked = await client.post('/api/weeding/withdraw', { reason: 'destroyed', ...of })
    await server.doJobs()
    return asked
  }
  const copies = async () => {
    const { rows: all } = await sql<{
      id: number
      gone: boolean
      on: string | null
      why: string | null
      status: string
    }>`
      select id, deleted_at is not null as gone, withdrawn_on as "on", withdrawal_reason as why, status from copies order by id`.execute(
      server.db,
    )
    return new Map(all.map(({ id, ...of }) => [id, of]))
  }

  describe('the list to examine', () => {
    it('begins with what nobody ever borrowed, the oldest first, then with what was borrowed longest ago', async () => {
      expect((await codes('site=1')).slice(0, 3)).toEqual(['1009', '1001', '1002'])
      expect((await codes('site=1')).slice(-4)).toEqual(['1003', '1004', '1005', '1006'])
      expect((await codes('site=1&order[last_loan]=desc')).slice(0, 3)).toEqual(['1006', '1005', '1004'])
    })

    it('tells what decides', async () => {
      const [first] = await rows('id=3')
      expect(first).toMatchObject({
        bar_code: '1003',
        name: 'Livre numéro 3',
        author: 'Zola, Émile',
        call_number: '843.3',
        location_label: 'Rayon A',
        state: 'DAMAGED',
        buy_date: '2010-05-01',
        price: '12.00',
        loans: 2,
        last_loan: '2016-04-01',
        copies: 1,
        stopped: null,
        in_cart: false,
      })
    })

    it.each([
      ['idle=never&site=1', ['1001', '1002', '1007', '1008', '1009', '1010', '1011', '1012']],
      ['idle=24&site=1', ['1001', '1002', '1003', '1004', '1009']],
      ['idle=120&site=1', ['1001', '1002', '1009']],
      ['state=DAMAGED', ['1003', '1009']],
      ['more_than=2', ['1010', '1011', '1012']],
      ['more_than=3', []],
      ['buy_date|lte=2010-12-31', ['1001', '1003', '1009']],
      ['last_loan|lte=2020-01-01', ['1003']],
      ['location=1', ['1003']],
      ['category=2', ['2001', '2002', '2003', '2004', '2005']],
      ['medium=2&site=2', ['2001', '2002', '2003', '2004', '2005']],
      ['searchname|like=numero 4', ['1004', '2004']],
    ])('is filtered by %s', async (query, expected) => {
      const filters = query
        .split('&')
        .map((part) => `filters[${part.split('=')[0]}]=${part.split('=').slice(1).join('=')}`)
        .join('&')
      expect((await codes(filters)).sort()).toEqual(expected)
    })

    it('is as old as its record on the days of the library', async () => {
      const recordedAt = (instant: string) =>
        sql`update copies set created_at = ${instant}::timestamptz where id = 7`.execute(server.db)
      // In Paris it was the next day already.
      await recordedAt('2024-03-10T23:30:00Z')
      expect(await codes('filters[idle]=24&filters[site]=1')).not.toContain('1007')
      await recordedAt('2024-03-09T23:30:00Z')
      expect(await codes('filters[idle]=24&filters[site]=1')).toContain('1007')
    })

    it('leaves out cancelled loans, what was sold and what left', async () => {
      await sql`update loanings set status = 'cancelled', return_date = null, returned_at = null where copy = 4`.execute(
        server.db,
      )
      await sql`update copies set status = 'Non Disponible', withdrawn_on = '2026-01-01' where id = 7`.execute(
        server.db,
      )
      await admin.delete('/api/copies/8')
      const never = await codes('filters[idle]=never&filters[site]=1')
      expect(never).toContain('1004')
      expect(never).not.toContain('1007')
      expect(never).not.toContain('1008')
    })

    it('tells what is in the cart, and is filtered by it', async () => {
      await put([1, 2])
      expect((await rows('id=1'))[0]?.in_cart).toBe(true)
      expect((await codes('filters[in_cart]=1')).sort()).toEqual(['1001', '1002'])
      expect(await codes('filters[in_cart]=0')).not.toContain('1001')
    })
  })

  describe('the cart', () => {
    it('has a copy once, whoever puts it in and however often', async () => {
      expect(await put([1, 2], 'Jamais prêté')).toEqual({ added: 2, already: 0, out: 0 })
      expect(await put([1, 2, 3], 'Endommagé', biblio)).toEqual({ added: 1, already: 2, out: 0 })
      const both = await Promise.all([scan('1004'), scan('1004', biblio)])
      expect(both.map(({ verdict }) => verdict).sort()).toEqual(['added', 'already'])
      expect(await inCart(biblio)).toEqual(['1001', '1002', '1003', '1004'])
      const lines = (await cart('order[bar_code]=asc'))['hydra:member']
      expect(lines.map(({ why, who }) => [why, who])).toEqual([
        ['Jamais prêté', 'admin'],
        ['Jamais prêté', 'admin'],
        ['Endommagé', expect.stringContaining('biblio')],
        ['', expect.anything()],
      ])
      expect((await cart()).value).toBe('12.75')
    })

    it('says of each scan what became of it', async () => {
      await admin.post('/api/loanings', { beneficiary: 1, copy: 6, free: true })
      await admin.delete('/api/copies/8')
      await sql`insert into reservations (beneficiary_id, reference_id, set_aside_copy, set_aside_at, status, site)
        values (1, 7, 7, now(), 'confirmed', 1), (2, 2, null, null, 'waiting', 1)`.execute(server.db)
      expect(await scan('1001')).toMatchObject({ verdict: 'added', name: 'Livre numéro 1' })
      expect(await scan('1001', biblio)).toMatchObject({ verdict: 'already', who: 'admin' })
      expect(await scan('1002')).toMatchObject({ verdict: 'awaited' })
      expect(await scan('1006')).toMatchObject({ verdict: 'lent', name: 'Livre numéro 6' })
      expect(await scan('1007')).toMatchObject({ verdict: 'reserved' })
      expect(await scan('1008')).toMatchObject({ verdict: 'withdrawn' })
      expect(await scan('RIEN')).toMatchObject({ verdict: 'unknown', copy: null, name: null })
      expect(await scan('2001', admin, 1)).toMatchObject({ verdict: 'elsewhere', site_name: 'Annexe' })
      expect(await inCart()).toEqual(['1001', '1002'])
    })

    it('leaves what is out of the library’s hands', async () => {
      await admin.post('/api/loanings', { beneficiary: 1, copy: 6, free: true })
      await admin.put('/api/copies/5', { site: 2 })
      expect(await put([5, 6, 7])).toEqual({ added: 1, already: 0, out: 2 })
    })

    it('is emptied line by line, and a line has its own destination', async () => {
      await put([1, 2])
      const changed = await admin.put('/api/weeding/cart/1', { reason: 'sold' })
      expect(changed.body).toMatchObject({ bar_code: '1001', reason: 'sold' })
      expect((await admin.delete('/api/weeding/cart/2')).status).toBe(204)
      expect((await admin.delete('/api/weeding/cart/2')).status).toBe(404)
      expect((await admin.put('/api/weeding/cart/2', { reason: 'sold' })).body.message).toBe(
        'Cet exemplaire n’est pas dans le panier.',
      )
      expect(await inCart()).toEqual(['1001'])
    })

    it('tells what cannot leave as it is', async () => {
      await put([1, 2, 3])
      await admin.post('/api/loanings', { beneficiary: 1, copy: 1, free: true })
      await sql`insert into reservations (beneficiary_id, reference_id, status, site) values (2, 2, 'waiting', 1)`.execute(
        server.db,
      )
      const { 'hydra:member': lines, stopped } = await cart('order[bar_code]=asc')
      expect(stopped).toBe(1)
      expect(lines.map((line) => [line.stopped, line.is_last_awaited])).toEqual([
        ['lent', false],
        [null, true],
        [null, false],
      ])
      expect((await cart('filters[stopped]=1'))['hydra:member']).toHaveLength(1)
    })

    it('warns of the last copy that somebody waits for, those of the cart set aside', async () => {
      await sql`insert into reservations (beneficiary_id, reference_id, status, site) values (2, 10, 'waiting', 1)`.execute(
        server.db,
      )
      expect(await scan('1010')).toMatchObject({ verdict: 'added' })
      expect(await scan('1011')).toMatchObject({ verdict: 'added' })
      expect(await scan('1012')).toMatchObject({ verdict: 'awaited' })
    })
  })

  describe('the withdrawal', () => {
    it('is one act, with the destination of each, and empties the cart', async () => {
      await put([1, 2, 3])
      await admin.put('/api/weeding/cart/2', { reason: 'lost' })
      const { status, body } = await withdraw({ reason: 'given' })
      expect(status).toBe(202)
      const after = await copies()
      expect([after.get(1), after.get(2), after.get(3)]).toEqual([
        { gone: true, on: '2026-03-10', why: 'Donné', status: 'Disponible' },
        { gone: true, on: '2026-03-10', why: 'Perdu', status: 'Disponible' },
        { gone: true, on: '2026-03-10', why: 'Donné', status: 'Disponible' },
      ])
      expect(await inCart()).toEqual([])
      expect((await admin.get(`/api/acts/${body.id}`)).body).toMatchObject({
        kind: 'weeding.withdraw',
        name: '3 exemplaires\u202f: 2 donnés, 1 perdu',
        touched: 3,
        undone: 0,
        fixed: null,
      })
      expect((await admin.get('/api/weedings')).body['hydra:member']).toMatchObject([
        {
          withdrawn_on: '2026-03-10',
          who: 'admin',
          copies: 3,
          value: '12.50',
          reasons: ['given', 'lost'],
          act: body.id,
        },
      ])
    })

    it('leaves everything as it was when its act is undone, the cart too', async () => {
      await put([1, 2, 3], 'Jamais prêté')
      await admin.put('/api/weeding/cart/2', { reason: 'lost' })
      await admin.post('/api/bar_codes/wanted', { copies: [1] })
      const before = await liveRows(server.db)
      const { body } = await withdraw()
      expect(await liveRows(server.db)).not.toEqual(before)
      expect((await admin.post(`/api/acts/${body.id}/undo`)).status).toBe(202)
      await server.doJobs()
      expect(await liveRows(server.db)).toEqual(before)
      expect((await admin.get(`/api/acts/${body.id}`)).body).toMatchObject({ touched: 3, undone: 3 })
      expect((await admin.get('/api/weedings')).body['hydra:totalItems']).toBe(0)
      expect((await withdraw()).status).toBe(202)
    })

    it('keeps noted what could not be brought back', async () => {
      await put([1, 2])
      const { body } = await withdraw()
      await admin.post('/api/copies', { reference: 1, site: 1, bar_code: '1001' })
      await admin.post(`/api/acts/${body.id}/undo`)
      await server.doJobs()
      expect(await inCart()).toEqual(['1002'])
      expect((await admin.get('/api/weedings')).body['hydra:member']).toMatchObject([{ copies: 1 }])
      // What stayed as it was is that copy alone: the weeding is none of what it did.
      expect((await admin.get(`/api/acts/${body.id}`)).body).toMatchObject({
        touched: 2,
        undone: 1,
        fixed: null,
      })
      const told = (await admin.get(`/api/acts/${body.id}/rows`)).body['hydra:member']
      expect(told.map(({ entity, entity_id }: ActRow) => [entity, entity_id])).toEqual([
        ['copies', 1],
        ['copies', 2],
      ])
    })

    it('has the rest in the cart too where it is undone in two goes', async () => {
      await put([1, 2])
      const { body } = await withdraw()
      const other = await admin.post('/api/copies', { reference: 1, site: 1, bar_code: '1001' })
      const undo = async () => {
        expect((await admin.post(`/api/acts/${body.id}/undo`)).status).toBe(202)
        await server.doJobs()
      }
      await undo()
      await admin.put(`/api/copies/${other.body.id}`, { bar_code: '77001' })
      await undo()
      expect(await inCart()).toEqual(['1001', '1002'])
      expect((await admin.get('/api/weedings')).body['hydra:totalItems']).toBe(0)
    })

    it('leaves in the cart what is on loan, and says so where that is all', async () => {
      await put([1, 2])
      await admin.post('/api/loanings', { beneficiary: 1, copy: 1, free: true })
      const refused = await withdraw({ copies: [1] })
      expect([refused.status, refused.body.reason, refused.body.message]).toEqual([
        409,
        'IN_USE',
        '«\u00a0Livre numéro 1\u00a0» est en prêt\u202f: il ne peut pas être retiré du fonds.',
      ])
      expect((await withdraw()).status).toBe(202)
      expect(await inCart()).toEqual(['1001'])
      expect((await copies()).get(2)?.gone).toBe(true)
    })

    it('leaves in the cart what was lent or reserved before its turn came', async () => {
      await put([1, 2, 3])
      await admin.post('/api/weeding/withdraw', { reason: 'given' })
      await admin.post('/api/loanings', { beneficiary: 1, copy: 1, free: true })
      await sql`insert into reservations (beneficiary_id, reference_id, copy_id, status, site) values (2, 2, 2, 'waiting', 1)`.execute(
        server.db,
      )
      await server.doJobs()
      expect(await inCart()).toEqual(['1001', '1002'])
      expect((await copies()).get(3)?.gone).toBe(true)
    })

    it('leaves alone what was sold before its turn came', async () => {
      await put([1, 2])
      await admin.post('/api/weeding/withdraw', { reason: 'given' })
      await sql`update copies set type = 'Vente' where id = 1`.execute(server.db)
      const sale = await admin.post('/api/sales', { beneficiary: 1, copy: 1 })
      expect(sale.status).toBe(201)
      await server.doJobs()
      expect((await admin.get('/api/weedings')).body['hydra:member']).toMatchObject([{ copies: 1 }])
      expect((await admin.delete(`/api/sales/${sale.body.id}`)).status).toBe(204)
      await sql`update copies set type = 'Location' where id = 1`.execute(server.db)
      expect(await inCart()).toEqual(['1001'])
    })

    it('is done once where two people ask for it', async () => {
      await put([1])
      const answers = await Promise.all([
        admin.post('/api/weeding/withdraw', { reason: 'given' }),
        biblio.post('/api/weeding/withdraw', { reason: 'lost' }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
      expect(answers.find(({ status }) => status === 409)?.body.message).toBe(
        'Le panier est vide\u202f: ce qui y était a déjà été retiré ou ôté.',
      )
    })

    it('ends with the right to withdraw, and keeps in the cart what it had not reached', async () => {
      await put([1, 2], '', biblio)
      await biblio.post('/api/weeding/withdraw', { reason: 'given' })
      await sql`delete from profile_rights where right_code = 'COPY_DELETE'
        and profile = (select profile from users where username = 'biblio')`.execute(server.db)
      await server.doJobs()
      await sql`insert into profile_rights (profile, right_code) select profile, 'COPY_DELETE' from users where username = 'biblio'`.execute(
        server.db,
      )
      expect(await inCart()).toEqual(['1001', '1002'])
      expect((await admin.get('/api/weedings')).body['hydra:totalItems']).toBe(0)
      const { body } = await biblio.get('/api/jobs?filters[kind]=weeding.withdraw')
      expect(body['hydra:member'][0]).toMatchObject({
        status: 'failed',
        problem: expect.stringContaining('Ce qui n’a pas été retiré est de nouveau dans le panier.'),
      })
    })
  })

  describe('its files', () => {
    const file = async (query: string) => {
      const { status, body } = await admin.get(`/api/export/weeding?${query}`)
      expect(status).toBe(200)
      return body as Buffer
    }
    const text = async (query: string) =>
      readPdf(await file(query))
        .map((page) => page.text)
        .join('\n')

    it('are pages for the council, of the cart and of what was withdrawn', async () => {
      await put([1, 3])
      await put([2], 'Doublon')
      await admin.put('/api/weeding/cart/2', { reason: 'lost' })
      const page = await text('number=2026-14&decided_on=2026-02-20&reason=given')
      for (const said of [
        'Liste des documents à désherber',
        'Délibération n° 2026-14, du 20/02/2026',
        'Liste arrêtée le 10/03/2026',
        'Zola, Émile',
        'Livre numéro 3',
        '1003',
        'Doublon',
        'Total\u202f: 3 documents, d’une valeur connue de 12,50',
        'Donné\u202f: 2 documents',
        'Perdu\u202f: 1 document',
        'Signature',
      ]) {
        expect(page.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(said.replaceAll('\u202f', ' '))
      }
      expect(page.replaceAll('\n', ' ')).toMatch(/Endommagé.*Dernier prêt/)
      const { body } = await withdraw()
      const [{ id }] = (await admin.get('/api/weedings')).body['hydra:member']
      const done = await text(`weeding=${id}`)
      expect(done).toContain('Liste des documents désherbés')
      expect(done).toContain('Retirés du fonds le 10/03/2026')
      expect(done).toContain('Livre numéro 3')
      expect(done).toContain('1003')
      await admin.post(`/api/acts/${body.id}/undo`)
      await server.doJobs()
      expect((await admin.get(`/api/export/weeding?weeding=${id}`)).status).toBe(404)
    })

    it('go on over as many pages as it takes', async () => {
      await sql`insert into copies (reference, bar_code, site) select 10, 'LOT' || n, 1 from generate_series(1, 120) n`.execute(
        server.db,
      )
      const { rows: more } = await sql<{
        id: number
      }>`select id from copies where bar_code like 'LOT%'`.execute(server.db)
      await put(more.map(({ id }) => id))
      const pages = readPdf(await file('export_type=pdf'))
      expect(pages.length).toBeGreaterThan(3)
      expect(pages[0]?.text).toContain('Tous les sites')
      expect(pages.at(-1)?.text).toContain('Signature')
      expect(
        pages
          .map((page) => page.text)
          .join('\n')
          .match(/LOT\d+/g),
      ).toHaveLength(120)
    })

    it('are a table too', async () => {
      await put([1, 3])
      const lines: unknown[][] = []
      for await (const { values } of streamXlsxRows(await file('export_type=xlsx&reason=sold')))
        lines.push(values)
      const [titles = [], ...rest] = lines
      const of = (title: string) => rest.map((line) => line[titles.indexOf(title)])
      expect(of('Code-barres')).toEqual(['1001', '1003'])
      expect(of('Destination')).toEqual(['Vendu', 'Vendu'])
      expect(of('Prêts')).toEqual([0, 2])
      expect(of('Valeur')).toEqual([0.25, 12])
    })
  })

  it('is shut to whoever may not withdraw copies', async () => {
    const volunteer = await server.as('benevole')
    for (const path of ['/api/weeding', '/api/weeding/cart', '/api/weedings', '/api/export/weeding']) {
      expect((await volunteer.get(path)).status).toBe(403)
    }
    expect((await volunteer.post('/api/weeding/withdraw', { reason: 'given' })).status).toBe(403)
  })
})

describeServer('the weeding of two sites', (server) => {
  let people: TwoSites
  beforeAll(async () => {
    people = await openTwoSites(server)
  })

  it('shows and changes nothing of the other', async () => {
    const { annexe, centre, chef } = people
    await seedStock(server)
    await chef.post('/api/weeding/cart', { copies: [1, 2, 11, 12] })
    const codes = async (client: Client) =>
      (await client.get('/api/weeding/cart?order[bar_code]=asc')).body['hydra:member'].map(
        (line: CartLine) => line.bar_code,
      )
    expect([await codes(annexe), await codes(centre)]).toEqual([
      ['2001', '2002'],
      ['1001', '1002'],
    ])
    expect((await annexe.post('/api/weeding/cart', { copies: [3] })).body).toEqual({
      added: 0,
      already: 0,
      out: 0,
    })
    expect((await annexe.post('/api/weeding/cart/scan', { codes: ['1003'] })).body).toEqual({
      verdict: 'elsewhere',
      copy: null,
      name: null,
      site_name: null,
      who: null,
    })
    expect((await annexe.delete('/api/weeding/cart/1')).status).toBe(404)
    expect((await annexe.post('/api/weeding/withdraw', { reason: 'given', copies: [1] })).status).toBe(409)
    expect((await annexe.post('/api/weeding/withdraw', { reason: 'given' })).status).toBe(202)
    await server.doJobs()
    expect([await codes(annexe), await codes(centre)]).toEqual([[], ['1001', '1002']])
    const past = async (client: Client) => (await client.get('/api/weedings')).body['hydra:totalItems']
    expect([await past(annexe), await past(centre), await past(chef)]).toEqual([1, 0, 1])
    const [{ id }] = (await annexe.get('/api/weedings')).body['hydra:member']
    expect((await centre.get(`/api/export/weeding?weeding=${id}`)).status).toBe(404)
    expect((await centre.get('/api/acts')).body['hydra:totalItems']).toBe(0)
  })
})
