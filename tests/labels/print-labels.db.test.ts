import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { knownSheets, placeOf } from '../../src/domain/label-sheets.ts'
import { readPdf } from '../pdf/read-pdf.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { openTwoSites } from '../visibility/two-sites.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'
import { isBlank, pagesOf, readWithin } from './read-labels.ts'

const { L7160 } = knownSheets
const printed = '/api/export/bar_codes'

/** What a scanner reads of the labels of an L7160, in the order they are stuck; blank ones are left out. */
async function codesOf({ body }: Answer, dpi = 203): Promise<(string | null)[]> {
  const read = []
  for (const page of pagesOf(body as Buffer, dpi)) {
    for (let n = 0; n < 21; n += 1) {
      const { x, y } = placeOf(L7160, n)
      const box = { x, y, ...L7160.label }
      if (!isBlank(page, dpi, box)) read.push(await readWithin(page, dpi, box))
    }
  }
  return read
}

const textOf = ({ body }: Answer) => readPdf(body as Buffer).map(({ text }) => text)

describeServer('labels', (server) => {
  let admin: Client
  beforeAll(async () => {
    admin = await server.as('admin')
    await setParameter(server, 'work_council', 'Médiathèque de Port-Louis')
  })
  const number = (site: number, siteCode: string, firstValue: string, symbology?: string) =>
    admin.put(`/api/sites/${site}`, {
      bar_codes_configuration: { siteCode, firstValue, ...(symbology ? { symbology } : {}) },
    })

  describe('of copies', () => {
    it('come from the titles that are ticked, in the order of the list', async () => {
      const answer = await admin.get(`${printed}?ids=2,1,11&order[name]=desc`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/pdf')
      expect(answer.headers.get('content-disposition')).toContain('codes-barres-20260310-100000.pdf')
      expect(await codesOf(answer)).toEqual(['1002', '1001', '2001'])
      expect(textOf(answer)[0]).toContain('Médiathèque de Port-Louis\nLivre numéro 2\n1002')
    })

    it('come from all that the filters let through, the last added first', async () => {
      expect(await codesOf(await admin.get(`${printed}?filters[searchname|like]=Film`))).toEqual(
        expect.arrayContaining(['2001', '2002', '2003', '2004', '2005']),
      )
      expect(await codesOf(await admin.get(`${printed}?medium=1&site=1`))).toHaveLength(10)
      expect(await codesOf(await admin.get(`${printed}?filters[site|eq]=2`))).toHaveLength(5)
      expect(await codesOf(await admin.get(`${printed}?type=Location&ids=3`))).toEqual(['1003'])
      expect(await codesOf(await admin.get(`${printed}?type=Vente`))).toEqual([])
    })

    it('are of the chosen site alone', async () => {
      expect(await codesOf(await admin.get(`${printed}?ids=1,11`, { site: 2 }))).toEqual(['2001'])
    })

    it('begin at any label, with several of each, on a sheet of one’s own, moved for a printer', async () => {
      const twice = await admin.get(`${printed}?ids=1&first=21&each=2`)
      expect(pagesOf(twice.body as Buffer, 100)).toHaveLength(2)
      expect(await codesOf(twice)).toEqual(['1001', '1001'])
      const { body: sheet } = await admin.post('/api/label_sheets', {
        name: 'Maison',
        kind: 'roll_203',
        label_width: 600,
        label_height: 300,
      })
      const { body: printer } = await admin.post('/api/label_printers', {
        name: 'Du bureau',
        measured_left: 115,
        measured_top: 100,
      })
      const where = async (query: string) => {
        const [page] = readPdf((await admin.get(`${printed}?ids=1&sheet=${sheet.id}${query}`)).body as Buffer)
        expect(((page?.width ?? 0) * 25.4) / 72).toBeCloseTo(60, 0)
        return ((page?.rectangles[0]?.x ?? 0) * 25.4) / 72
      }
      const moved = (await where(`&printer=${printer.id}`)) - (await where(''))
      expect(Math.abs(moved + 1.5)).toBeLessThan(0.13)
      expect((await admin.get(`${printed}?ids=1&sheet=999`)).status).toBe(404)
      expect((await admin.get(`${printed}?ids=1&printer=999`)).status).toBe(404)
    })

    it('are two thousand at most, each counted', async () => {
      await sql`insert into "references" (name, medium) values ('Mille', 3)`.execute(server.db)
      await sql`insert into copies (reference, bar_code, site)
        select (select id from "references" where name = 'Mille'), 'K' || n, 1 from generate_series(1, 101) n`.execute(
        server.db,
      )
      const asked = `${printed}?filters[searchname|like]=Mille&each=20`
      const refused = await admin.get(asked)
      expect(refused).toMatchObject({ status: 409 })
      expect(refused.body.message).toBe(
        '2\u202f000 étiquettes au plus à la fois, et il y en aurait 2\u202f020\u202f: filtrez la liste, ou cochez des références.',
      )
      await sql`update copies set deleted_at = now() where bar_code = 'K1'`.execute(server.db)
      const { status, body } = await admin.get(asked)
      expect(status).toBe(200)
      expect(readPdf(body as Buffer)).toHaveLength(Math.ceil(2000 / 21))
    })

    it('are in the symbology of their site, or name the copy that it cannot write', async () => {
      await number(2, '', '1', 'CODABAR')
      expect(await codesOf(await admin.get(`${printed}?ids=11`), 300)).toEqual(['2001'])
      await sql`update copies set bar_code = 'DVD-1' where bar_code = '2001'`.execute(server.db)
      const refused = await admin.get(`${printed}?ids=11`)
      expect(refused.status).toBe(409)
      expect(refused.body.message).toBe(
        'Le code-barres DVD-1 («\u00a0Film numéro 1\u00a0») ne peut pas s’écrire en Codabar, qui n’écrit que les chiffres et les signes - $ : / . +. Changez-le, ou la symbologie du site Annexe.',
      )
      expect((await admin.get(`${printed}?ids=11&kind=spine`)).status).toBe(200)
      await sql`update copies set bar_code = '2001' where bar_code = 'DVD-1'`.execute(server.db)
      await number(2, '', '1', 'CODE128')
      const { status, body } = await number(1, 'bib', '1', 'CODE39')
      expect(status).toBe(422)
      expect(body.violations[0].propertyPath).toBe('bar_codes_configuration.symbology')
      await sql`update copies set bar_code = ${'9'.repeat(60)} where bar_code = '1001'`.execute(server.db)
      expect((await admin.get(`${printed}?ids=1`)).body.message).toContain('trop long en Code 128')
      await sql`update copies set bar_code = '1001' where bar_code = ${'9'.repeat(60)}`.execute(server.db)
    })

    it('have three lines of a call number for the spine', async () => {
      await sql`update "references" set reference_data = '{"book_number":"R ZOL ger"}' where id = 1`.execute(
        server.db,
      )
      expect(textOf(await admin.get(`${printed}?ids=1&kind=spine`))).toEqual(['R\nZOL\nger'])
      expect(textOf(await admin.get(`${printed}?ids=1&show=call_number`))).toEqual(['1001\nR ZOL ger'])
    })
  })

  describe('for the spine', () => {
    const mark = (text: string) =>
      sql`update "references" set reference_data = ${JSON.stringify({ book_number: text })}::jsonb where id = 1`.execute(
        server.db,
      )
    const withCode = async (bar_code: string, work: () => Promise<void>) => {
      await sql`update copies set bar_code = ${bar_code} where bar_code = '1001'`.execute(server.db)
      await work()
      await sql`update copies set bar_code = '1001' where bar_code = ${bar_code}`.execute(server.db)
    }

    it('have three lines and no code where none is named, as callers know them', async () => {
      await mark('R ZOL ger 2')
      const plain = await admin.get(`${printed}?ids=1&kind=spine`)
      expect(textOf(plain)).toEqual(['R\nZOL\nger 2'])
      expect(readPdf(plain.body as Buffer)[0]?.rectangles).toEqual([])
      expect(textOf(await admin.get(`${printed}?ids=1&kind=spine&code=none`))).toEqual(['R\nZOL\nger\n2'])
    })

    it.each(['code=data_matrix', 'code=data_matrix&side=12', 'code=code_128'])(
      'have four lines and the code of their copy, which is read: %s',
      async (query) => {
        await mark('R ZOL ger 2')
        const answer = await admin.get(`${printed}?ids=1&kind=spine&${query}`)
        expect(textOf(answer)).toEqual(['R\nZOL\nger\n2'])
        expect(await codesOf(answer, 300)).toEqual(['1001'])
      },
    )

    it('stand beside the bar-code label of their copy, each counted', async () => {
      await mark('R ZOL ger')
      const both = await admin.get(`${printed}?ids=2,1&kind=both&order[name]=asc&show=`)
      expect(await codesOf(both, 300)).toEqual(['1001', '1001', '1002', '1002'])
      expect(textOf(both)[0]).toMatch(/^1001\nR\nZOL\nger\n1002\n/)
      const count = async (query: string) =>
        (await admin.get(`/api/bar_codes/count?ids=1,2&each=2${query}`)).body.labels as number
      expect([await count(''), await count('&kind=spine'), await count('&kind=both')]).toEqual([4, 4, 8])
      const many = await admin.get('/api/bar_codes/count?type=next&limit=1001&kind=both')
      expect(many.body.message).toMatch(/^2\s000 étiquettes au plus à la fois, et il y en aurait 2\s002/)
    })

    it('name the copy whose code has no room, or no signs, before anything is printed', async () => {
      const { body: small } = await admin.post('/api/label_sheets', {
        name: 'Petite',
        kind: 'roll_300',
        label_width: 150,
        label_height: 150,
      })
      const told = async (query: string) => {
        const { status, body } = await admin.get(`${printed}?ids=1&kind=spine&${query}`)
        expect(status).toBe(409)
        return body.message as string
      }
      const what = (code: string) => `Le code-barres ${code} («\u00a0Livre numéro 1\u00a0»)`
      expect(await told(`code=data_matrix&side=10&sheet=${small.id}`)).toBe(
        `${what('1001')} n’a pas la place d’un Data Matrix de 10\u00a0mm, avec la cote, sur des étiquettes de cette taille\u202f: prenez-en de plus grandes, ou un Data Matrix plus petit.`,
      )
      expect(await told(`code=code_128&sheet=${small.id}`)).toBe(
        `${what('1001')} est trop long en Code 128, le long du dos, pour des étiquettes de cette taille\u202f: prenez-en de plus grandes, ou un Data Matrix.`,
      )
      await withCode('Été', async () => {
        expect(await told('code=data_matrix')).toContain(`${what('Été')} ne peut pas s’écrire en Data Matrix`)
        expect((await admin.get(`${printed}?ids=1&kind=spine&code=none`)).status).toBe(200)
      })
      await withCode('A'.repeat(45), async () => {
        expect(await told('code=data_matrix')).toContain(
          'est trop long en Data Matrix\u202f: imprimez la cote sans code.',
        )
      })
    })

    it('know no other code and no other side', async () => {
      for (const query of ['code=qr_code', 'side=11', 'side=9.0', 'kind=back']) {
        expect((await admin.get(`${printed}?ids=1&${query}`)).status).toBe(400)
      }
    })

    it('may be of codes that no copy has yet', async () => {
      await number(1, 'S-', '00001')
      const asked = `${printed}?type=next&limit=2&site=1&kind=both&key=${crypto.randomUUID()}`
      expect(await codesOf(await admin.get(asked), 300)).toEqual(['S-00001', 'S-00001', 'S-00002', 'S-00002'])
    })
  })

  describe('of codes that no copy has yet', () => {
    beforeEach(async () => {
      await sql`delete from code_ranges`.execute(server.db)
    })
    const next = (client: Client, query: string) => client.get(`${printed}?type=next&${query}`)

    it('are of a range for a site, its last label too, and never given again', async () => {
      await number(1, 'C-', '00001')
      const range = await next(admin, 'limit=23&site=1')
      const expected = Array.from({ length: 23 }, (_, n) => `C-${String(n + 1).padStart(5, '0')}`)
      expect(await codesOf(range)).toEqual(expected)
      expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('C-00024')
      expect(await codesOf(await next(admin, 'limit=1&site=1'))).toEqual(['C-00024'])
      const { body: copy } = await admin.post('/api/copies', { reference: 1, site: 1 })
      expect(copy.bar_code).toBe('C-00025')
    })

    it('are the same again under one key, which is one person’s', async () => {
      await number(1, 'D-', '00001')
      const key = crypto.randomUUID()
      const asked = `limit=3&site=1&key=${key}`
      const codes = await codesOf(await next(admin, asked))
      expect(codes).toEqual(['D-00001', 'D-00002', 'D-00003'])
      expect(await codesOf(await next(admin, `${asked}&sheet=L7160&each=2`))).toEqual(
        codes.flatMap((code) => [code, code]),
      )
      await setParameter(server, 'barCodesIncrement', '0')
      expect(await codesOf(await next(admin, asked))).toEqual(codes)
      await setParameter(server, 'barCodesIncrement', '1')
      const biblio = await server.as('biblio')
      expect(await next(biblio, asked)).toMatchObject({ status: 409, body: { reason: 'KEY_REUSED' } })
      expect(await next(admin, `limit=4&site=1&key=${key}`)).toMatchObject({ status: 409 })
      expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('D-00004')
    })

    it('are never the same for two who ask at once, and one’s own for one who asks twice at once', async () => {
      await number(1, 'E-', '00001')
      const biblio = await server.as('biblio')
      const keys = [crypto.randomUUID(), crypto.randomUUID()]
      const ask = (client: Client, key = '') => next(client, `limit=5&site=1${key && `&key=${key}`}`)
      const answers = await Promise.all([
        ask(admin, keys[0]),
        ask(biblio, keys[1]),
        ask(admin, keys[0]),
        ask(biblio, keys[1]),
        ask(admin),
        ask(biblio),
      ])
      const [mine, theirs, mineAgain, theirsAgain, ...others] = await Promise.all(
        answers.map((answer) => codesOf(answer)),
      )
      expect(mineAgain).toEqual(mine)
      expect(theirsAgain).toEqual(theirs)
      const all = [mine, theirs, ...others].flat()
      expect(new Set(all).size).toBe(20)
      expect(all).toHaveLength(20)
    })

    it('have their key in EAN-13', async () => {
      await number(1, '2000', '00000001', 'EAN13')
      const codes = await codesOf(await next(admin, 'limit=2&site=1'))
      expect(codes).toEqual(['2000000000015', '2000000000022'])
      await number(1, 'F-', '1', 'CODE128')
    })

    it('take nothing where they cannot be printed, or are only looked for', async () => {
      await number(1, 'G-', '00001')
      expect((await admin.call('HEAD', `${printed}?type=next&limit=5&site=1`)).status).toBe(405)
      await setParameter(server, 'barCodesIncrement', '0')
      expect(await next(admin, 'limit=5&site=1')).toMatchObject({
        status: 409,
        body: { reason: 'NUMBERED_BY_HAND' },
      })
      await setParameter(server, 'barCodesIncrement', '1')
      expect((await next(admin, 'limit=2001&site=1')).status).toBe(400)
      expect((await next(admin, 'limit=2000&each=2&site=1')).status).toBe(409)
      expect((await next(admin, 'limit=5')).status).toBe(400)
      expect((await next(admin, 'limit=5&site=99')).status).toBe(404)
      expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('G-00001')
    })

    const kept = async () => {
      const { rows } = await sql<{ ranges: number; given: number }>`
        select (select count(*) from code_ranges) as ranges, (select count(*) from bar_codes_given) as given`.execute(
        server.db,
      )
      return rows[0]
    }

    it('are none where one is too long for its label, and are there under the same key for a wider one', async () => {
      await number(1, 'LIVRES-JEUNESSE-', '000009')
      const { body: narrow } = await admin.post('/api/label_sheets', {
        name: 'Étroite',
        kind: 'roll_203',
        label_width: 150,
        label_height: 200,
      })
      const before = await kept()
      const asked = `limit=2&site=1&key=${crypto.randomUUID()}`
      const refused = await next(admin, `${asked}&sheet=${narrow.id}`)
      expect(refused.status).toBe(409)
      expect(refused.body.message).toMatch(/LIVRES-JEUNESSE-000009 .* trop long .* prenez-en de plus larges/)
      expect(await kept()).toEqual(before)
      const codes = ['LIVRES-JEUNESSE-000009', 'LIVRES-JEUNESSE-000010']
      expect(await codesOf(await next(admin, asked), 300)).toEqual(codes)
      // Kept by now, they are none of a narrow sheet's all the same.
      expect((await next(admin, `${asked}&sheet=${narrow.id}`)).status).toBe(409)
      expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('LIVRES-JEUNESSE-000011')
    })

    it('are none where EAN-13 has not enough left, and are there under the same key for fewer', async () => {
      await number(1, '2000', '99999998', 'EAN13')
      const before = await kept()
      const key = crypto.randomUUID()
      const refused = await next(admin, `limit=3&site=1&key=${key}`)
      expect(refused).toMatchObject({ status: 409, body: { reason: 'NUMBERED_BY_HAND' } })
      expect(refused.body.message).toContain('n’a plus de numéro libre en EAN-13')
      expect(await kept()).toEqual(before)
      expect(await codesOf(await next(admin, `limit=2&site=1&key=${key}`))).toEqual([
        '2000999999987',
        '2000999999994',
      ])
      for (const answer of [
        await admin.get('/api/sites/1/next_bar_code'),
        await admin.post('/api/copies', { reference: 1, site: 1 }),
        await admin.post('/api/copies/several', { reference: 1, site: 1, count: 2 }),
      ]) {
        expect(answer).toMatchObject({ status: 409, body: { reason: 'NUMBERED_BY_HAND' } })
      }
      const sample = await admin.get(
        '/api/bar_codes/sample?siteCode=20000000000&firstValue=8&symbology=EAN13',
      )
      expect(sample.body.bar_codes).toHaveLength(2)
      await number(1, 'F-', '1', 'CODE128')
    })

    it('are given to the copy that is added with one, which awaits no label', async () => {
      await number(1, 'H-', '00001')
      await next(admin, 'limit=2&site=1')
      const lookUp = await admin.get('/api/copies?filters[bar_code|eq]=H-00002')
      expect(lookUp.body['hydra:totalItems']).toBe(0)
      const { status, body: copy } = await admin.post('/api/copies', {
        reference: 1,
        site: 1,
        bar_code: 'H-00002',
      })
      expect(status).toBe(201)
      const { rows } = await sql`select from label_basket where copy = ${copy.id}`.execute(server.db)
      expect(rows).toEqual([])
      expect((await admin.get('/api/sites/1/next_bar_code')).body.bar_code).toBe('H-00003')
    })
  })

  describe('that are awaited', () => {
    let turn = 0
    const wanted = async (client = admin, options = {}) => {
      const { body } = await client.get('/api/bar_codes?filters[wanted|eq]=1', options)
      return body['hydra:member'] as { id: number; wanted_count: number; copies_count: number }[]
    }
    beforeEach(async () => {
      await sql`delete from label_basket`.execute(server.db)
      turn += 1
      await number(1, `W${turn}-`, '001')
    })

    it('are those of new copies and of codes that changed, until they are printed, which can be undone', async () => {
      expect(await wanted()).toEqual([])
      const { body: one } = await admin.post('/api/copies', { reference: 5, site: 1 })
      await admin.post('/api/copies/several', { reference: 6, site: 1, count: 2 })
      const { body: old } = await admin.get('/api/copies?filters[bar_code|eq]=1007')
      await admin.put(`/api/copies/${old['hydra:member'][0].id}`, { bar_code: '1007-bis' })
      const listed = await wanted()
      expect(listed.map(({ id, wanted_count }) => [id, wanted_count]).sort()).toEqual([
        [5, 1],
        [6, 2],
        [7, 1],
      ])
      const asked = 'filters[wanted|eq]=1'
      const count = await admin.get(`/api/bar_codes/count?${asked}`)
      expect(count.body.labels).toBe(4)
      const codes = await codesOf(await admin.get(`${printed}?${asked}`))
      expect(codes).toHaveLength(4)
      expect(codes).toContain(one.bar_code)
      // Printing alone says nothing of whether they are stuck.
      expect(await wanted()).toHaveLength(3)
      const { status, body } = await admin.post('/api/bar_codes/printed', { copies: count.body.wanted })
      expect(status).toBe(200)
      expect(body.copies.toSorted()).toEqual(count.body.wanted.toSorted())
      expect(await wanted()).toEqual([])
      await admin.post('/api/bar_codes/wanted', { copies: body.copies })
      expect(await wanted()).toEqual(listed)
    })

    it('are counted and cleared at open sites only', async () => {
      await admin.post('/api/copies', { reference: 11, site: 2 })
      await admin.post('/api/copies', { reference: 1, site: 1 })
      expect((await wanted(admin, { site: 2 })).map(({ id }) => id)).toEqual([11])
      const { body: all } = await admin.get('/api/bar_codes/count?filters[wanted|eq]=1')
      expect(all.wanted).toHaveLength(2)
    })
  })

  describe('and the list of what has copies', () => {
    it('is the newest first, has the references’ filters, and counts copies of the site', async () => {
      await sql`insert into "references" (name, medium, created_at) values ('Sans exemplaire', 3, now() + interval '1 day')`.execute(
        server.db,
      )
      await sql`update "references" set created_at = now() + interval '2 hours' where id = 12`.execute(
        server.db,
      )
      const { status, body } = await admin.get('/api/bar_codes?limit=500')
      expect(status).toBe(200)
      const names = body['hydra:member'].map(({ name }: { name: string }) => name)
      expect(names[0]).toBe('Film numéro 2')
      expect(names).not.toContain('Sans exemplaire')
      await sql`insert into copies (reference, bar_code, site) values (12, '2099', 1)`.execute(server.db)
      const at = async (query: string) =>
        (await admin.get(`/api/bar_codes?filters[id|eq]=12${query}`)).body['hydra:member'][0]?.copies_count
      expect([await at(''), await at('&filters[site|eq]=1'), await at('&filters[site|eq]=2')]).toEqual([
        2, 1, 1,
      ])
      const { body: films } = await admin.get(
        '/api/bar_codes?filters[searchname|like]=Varda&filters[site|eq]=1',
      )
      expect(films['hydra:totalItems']).toBe(1)
      expect((await admin.get('/api/bar_codes?filters[nothing|eq]=1')).status).toBe(400)
    })
  })

  it('ask for the right to print them', async () => {
    const lecture = await server.as('lecture')
    for (const path of [printed, '/api/bar_codes', '/api/bar_codes/count', '/api/export/label_calibration']) {
      expect((await lecture.get(path)).status).toBe(403)
    }
    expect((await lecture.post('/api/bar_codes/printed', { copies: [1] })).status).toBe(403)
  })

  it('begin with a calibration sheet, for a printer or none', async () => {
    const { status, headers, body } = await admin.get('/api/export/label_calibration?sheet=L7651')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toContain('reglage-20260310-100000.pdf')
    expect(readPdf(body as Buffer)[0]?.text).toContain('10 mm attendus')
    expect((await admin.get('/api/export/label_calibration?printer=999')).status).toBe(404)
  })
})

describeServer('labels of a closed site', (server) => {
  it('are neither listed, printed, reserved nor cleared', async () => {
    const { annexe } = await openTwoSites(server)
    const { body } = await annexe.get('/api/bar_codes?limit=500')
    expect(body['hydra:totalItems']).toBe(5)
    expect(await codesOf(await annexe.get(`${printed}?ids=1,11`))).toEqual(['2001'])
    expect(await codesOf(await annexe.get(`${printed}?ids=1`))).toEqual([])
    expect((await annexe.get(`${printed}?type=next&limit=2&site=1`)).status).toBe(404)
    expect((await annexe.get(`${printed}?type=next&limit=2&site=2`)).status).toBe(200)
    await sql`insert into label_basket (copy, wanted_at) select id, now() from copies`.execute(server.db)
    const cleared = await annexe.post('/api/bar_codes/printed', { copies: [1, 11] })
    expect(cleared.body.copies).toEqual([11])
    expect((await annexe.post('/api/bar_codes/wanted', { copies: [1, 11] })).body.copies).toEqual([11])
  })
})
