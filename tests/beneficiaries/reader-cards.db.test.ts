import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { readBars } from '../pdf/read-bars.ts'
import { readPdf, type ReadPage } from '../pdf/read-pdf.ts'
import { openTwoSites } from '../visibility/two-sites.ts'
import { setParameter } from '../settings/set-parameter.ts'
import { describeServer } from '../support/test-server.ts'

const mm = 72 / 25.4

/** The texts of the bar codes of a page, from the top down and from the left. */
function codesOf({ rectangles }: ReadPage): Promise<(string | null)[]> {
  const places = new Map<string, typeof rectangles>()
  for (const bar of rectangles) {
    const place = `${Math.round(bar.y)} ${bar.x > 105 * mm ? 'right' : 'left'}`
    places.set(place, [...(places.get(place) ?? []), bar])
  }
  return Promise.all([...places.values()].map(readBars))
}

const pagesOf = (body: unknown) => readPdf(body as Buffer)

describeServer('the cards of readers', (server) => {
  it('are of the size of a bank card, with the library, the name and a code that is read', async () => {
    const volunteer = await server.as('benevole')
    await setParameter(server, 'work_council', 'Médiathèque de Port-Louis')
    const { status, headers, body } = await volunteer.get('/api/beneficiaries/1/card')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toContain('carte-1-20260310-100000.pdf')
    const [page, ...others] = pagesOf(body)
    expect(others).toEqual([])
    expect(page?.width).toBeCloseTo(85.6 * mm, 1)
    expect(page?.height).toBeCloseTo(54 * mm, 1)
    const { reader_id, matricule } = (await volunteer.get('/api/beneficiaries/1')).body
    const number: string = reader_id ?? matricule
    expect(page?.text.split('\n')).toEqual(['Médiathèque de Port-Louis', 'Centre', 'Alice Martin', number])
    expect(page && (await codesOf(page))).toEqual([number])
  })

  it('keep accents, and a name too long for its line within the card', async () => {
    const biblio = await server.as('biblio')
    const firstname = 'Marie-Élisabeth Anne Françoise Œdipe'
    const lastname = 'de La Rochefoucauld-Montmorency de Saint-Exupéry'.repeat(2)
    const { body: reader } = await biblio.post('/api/beneficiaries', { lastname, firstname, reader_id: null })
    const [page] = pagesOf((await biblio.get(`/api/beneficiaries/${reader.id}/card`)).body)
    const name = page?.text.split('\n').find((line) => line.startsWith(firstname)) ?? ''
    expect(name).toMatch(/…$/)
    expect(name.length).toBeGreaterThan(firstname.length)
    expect(page && (await codesOf(page))).toEqual([reader.matricule])
  })

  it('print a number that has no bars as it is written', async () => {
    const biblio = await server.as('biblio')
    const { body: reader } = await biblio.post('/api/beneficiaries', {
      lastname: 'Zola',
      firstname: 'Émile',
      matricule: 'Été-12',
    })
    const [page] = pagesOf((await biblio.get(`/api/beneficiaries/${reader.id}/card`)).body)
    expect(page?.rectangles).toEqual([])
    expect(page?.text).toContain('Été-12')
  })

  it('come ten to an A4 sheet, as the list filters and orders them', async () => {
    const biblio = await server.as('biblio')
    await sql`insert into beneficiaries (matricule, lastname, firstname, reader_id)
      select 'N' || n, 'Nom' || lpad(n::text, 2, '0'), 'Prénom', 'CARTE' || lpad(n::text, 4, '0')
      from generate_series(1, 23) n`.execute(server.db)
    const { status, body } = await biblio.get(
      '/api/export/beneficiary_cards?filters[searchname|like]=Prénom&order[lastname]=desc',
    )
    expect(status).toBe(200)
    const pages = pagesOf(body)
    expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual(
      Array.from({ length: 3 }, () => [595, 842]),
    )
    const codes = await Promise.all(pages.map(codesOf))
    expect(codes.map(({ length }) => length)).toEqual([10, 10, 3])
    expect(codes.flat()).toEqual(
      Array.from({ length: 23 }, (_, n) => `CARTE${String(23 - n).padStart(4, '0')}`),
    )
  })

  it('are those of the readers that are ticked', async () => {
    const biblio = await server.as('biblio')
    const { body } = await biblio.get('/api/export/beneficiary_cards?filters[id|in]=4,1&order[lastname]=asc')
    const [page] = pagesOf(body)
    expect(page?.text).toMatch(/Alice Martin[\s\S]*Sans-Courriel/)
    expect(page && (await codesOf(page))).toHaveLength(2)
  })

  it('are a thousand at most at once', async () => {
    const biblio = await server.as('biblio')
    await sql`insert into beneficiaries (matricule, lastname, firstname)
      select 'T' || n, 'Nom', 'Mille' from generate_series(1, 1001) n`.execute(server.db)
    const asked = '/api/export/beneficiary_cards?filters[searchname|like]=Mille'
    const { status, body } = await biblio.get(asked)
    expect(status).toBe(409)
    expect(body.message).toBe(
      '1000 cartes au plus à la fois, et cette liste en a 1001\u202f: filtrez-la, ou cochez des lecteurs.',
    )
    await sql`delete from beneficiaries where matricule = 'T1'`.execute(server.db)
    expect(pagesOf((await biblio.get(asked)).body)).toHaveLength(100)
  })

  it('are of nobody of a closed site', async () => {
    const people = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect((await people.annexe.get('/api/beneficiaries/1/card')).status).toBe(404)
    const { body } = await people.annexe.get('/api/export/beneficiary_cards')
    expect(pagesOf(body).map(({ text }) => text)).toEqual([expect.not.stringContaining('Alice Martin')])
  })
})
