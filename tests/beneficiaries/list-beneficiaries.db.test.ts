import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

const matriculesOf = ({ body }: Answer): string[] =>
  body['hydra:member'].map(({ matricule }: { matricule: string }) => matricule)

describeServer('beneficiaries: list, one, autocomplete', (server) => {
  let biblio: Client
  let benevole: Client
  const list = (query: string, options?: { site: number }) =>
    biblio.get(`/api/beneficiaries?${query}`, options)
  const complete = (typed: string, options?: { site: number }) =>
    biblio.get(`/api/beneficiaries/autocomplete?searchname=${encodeURI(typed)}`, options)

  beforeAll(async () => {
    biblio = await server.as('biblio')
    benevole = await server.as('benevole')
    await server.db
      .updateTable('beneficiaries')
      .set({
        phone: '05 61 00 00 00',
        address: '1 rue du Taur',
        displayed: JSON.stringify([
          { name: 'Courriel personnel', value: 'alice@chez-elle.fr', tab: 'personal' },
          { name: 'Adresse postale', value: '1 rue du Taur', tab: 'personal' },
          { name: 'Service', value: 'Accueil', tab: 'professional' },
        ]),
      })
      .where('id', '=', 1)
      .execute()
  })

  it('sorts by name as people read it, whatever the accents', async () => {
    await server.db
      .insertInto('beneficiaries')
      .values({ matricule: 'M5', lastname: 'Élan', firstname: 'Zoé' })
      .execute()
    const answer = await list('')
    expect(answer.status).toBe(200)
    expect(matriculesOf(answer)).toEqual(['M2', 'M5', 'M3', 'M1', 'M4'])
    expect(answer.body['hydra:totalItems']).toBe(5)
    await server.db
      .updateTable('beneficiaries')
      .set({ deleted_at: '2026-03-01T00:00:00Z' })
      .where('matricule', '=', 'M5')
      .execute()
    expect(matriculesOf(await list('order[lastname]=desc'))).toEqual(['M4', 'M1', 'M3', 'M2'])
  })

  it('pages with a total that does not depend on the page', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((page) => list(`limit=2&page=${page}&order[contract_type]=asc`)),
    )
    expect(pages.flatMap(matriculesOf)).toEqual(['M2', 'M1', 'M3', 'M4'])
    expect(pages.map(({ body }) => body['hydra:totalItems'])).toEqual([4, 4, 4])
  })

  it.each([
    ['searchname=EXPIREE%20noe', ['M3']],
    ['searchname=R2', ['M2']],
    ['searchname=100%25', []],
    ['filters[lastname|like]=expirée', ['M3']],
    ['matricule|in=M1,M4', ['M1', 'M4']],
    ['contract_type|eq=CDD', ['M2']],
    ['agency=1', ['M2', 'M1']],
    ['filters[agency|in][]=2', ['M3', 'M4']],
    ['exit_date|lte=2026-01-01', ['M3']],
    ['exit_date|nil=1', ['M2', 'M1', 'M4']],
    ['firstname|nil=1', []],
    ['firstname|nil=0&agency=1', ['M2', 'M1']],
    ['reader_id|nil=1', []],
    ['is_active=0', ['M3']],
    ['is_active=1&searchname=m', ['M2', 'M1', 'M4']],
  ])('filters %s', async (query, expected) => {
    const answer = await list(query)
    expect(matriculesOf(answer)).toEqual(expected)
    expect(answer.body['hydra:totalItems']).toBe(expected.length)
  })

  it('takes an empty text for none', async () => {
    await server.db
      .updateTable('beneficiaries')
      .set({ firstname: '' })
      .where('matricule', '=', 'M4')
      .execute()
    expect(matriculesOf(await list('firstname|nil=1'))).toEqual(['M4'])
    expect(matriculesOf(await list('firstname|nil=0'))).toEqual(['M2', 'M3', 'M1'])
    await server.db
      .updateTable('beneficiaries')
      .set({ firstname: 'Jean' })
      .where('matricule', '=', 'M4')
      .execute()
  })

  it('refuses a filter or an order that it does not know', async () => {
    expect((await list('colour=bleu')).status).toBe(400)
    expect((await list('order[email]=asc')).body.message).toBe(
      'Le tri par «\u00a0email\u00a0» n’est pas connu.',
    )
  })

  it('tells one beneficiary, with relatives and counts of open and late loans', async () => {
    for (const copy of [1, 2]) await biblio.post('/api/loanings', { beneficiary: 2, copy })
    await server.db
      .updateTable('loanings')
      .set({ start_date: '2026-01-01', end_date: '2026-03-09' })
      .where('copy', '=', 1)
      .execute()
    const { status, body } = await biblio.get('/api/beneficiaries/2')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      '@id': '/api/beneficiaries/2',
      '@type': 'Beneficiary',
      label: 'M2 - Dupont Éric - R2',
      agency: 'Centre',
      agency_id: 1,
      is_active: true,
      relatives: [
        {
          '@id': '/api/relatives/1',
          '@type': 'Relative',
          id: 1,
          name: 'Zoé Dupont',
          text: 'Zoé Dupont',
          reader_id: 'R2A',
        },
      ],
      wallet_amount: null,
      has_contact_email: true,
      email: 'eric@exemple.fr',
      open_loans: 2,
      late_loans: 1,
    })
    expect((await biblio.get('/api/beneficiaries/3')).body.is_active).toBe(false)
    expect((await biblio.get('/api/beneficiaries/4')).body).toMatchObject({
      has_contact_email: false,
      email: null,
    })
    expect((await biblio.get('/api/beneficiaries/5')).status).toBe(404)
    expect((await biblio.get('/api/beneficiaries/999')).status).toBe(404)
  })

  it('keeps contact and address from those without their right', async () => {
    const full = (await biblio.get('/api/beneficiaries/1')).body
    expect(full).toMatchObject({
      email: 'alice@exemple.fr',
      phone: '05 61 00 00 00',
      address: '1 rue du Taur',
    })
    expect(full.displayed).toHaveLength(3)
    for (const { body } of [
      await benevole.get('/api/beneficiaries/1'),
      await benevole.get('/api/beneficiaries?id=1'),
    ]) {
      const told = body['hydra:member']?.[0] ?? body
      expect(Object.keys(told)).not.toEqual(expect.arrayContaining(['email']))
      expect(told).not.toHaveProperty('phone')
      expect(told).not.toHaveProperty('address')
      expect(told.displayed).toEqual([{ name: 'Service', value: 'Accueil', tab: 'professional' }])
      expect(JSON.stringify(told)).not.toMatch(/Taur|alice@/)
      expect(told.has_contact_email).toBe(true)
    }
  })

  it('completes with active beneficiaries only, the exact number first', async () => {
    await server.db
      .insertInto('beneficiaries')
      .values({ matricule: 'M41', lastname: 'Aaron', firstname: 'R4', reader_id: 'R40' })
      .execute()
    expect(matriculesOf(await complete('R4'))).toEqual(['M4', 'M41'])
    expect(matriculesOf(await complete('eric dup'))).toEqual(['M2'])
    expect(matriculesOf(await complete('Expirée'))).toEqual([])
    const inactive = await biblio.get('/api/beneficiaries/autocomplete?searchname=expiree&with_inactive=1')
    expect(inactive.body['hydra:member']).toMatchObject([{ matricule: 'M3', is_active: false }])
    expect((await complete('Dupont')).body['hydra:member'][0].label).toBe('M2 - Dupont Éric - R2')
    await server.db.deleteFrom('beneficiaries').where('matricule', '=', 'M41').execute()
  })

  it('completes with ten at most and counts the others', async () => {
    const many = Array.from({ length: 12 }, (_, n) => ({
      matricule: `N${n}`,
      lastname: 'Nombreux',
      firstname: `${n}`,
    }))
    await server.db.insertInto('beneficiaries').values(many).execute()
    const answer = await complete('nombreux')
    expect(answer.body['hydra:member']).toHaveLength(10)
    expect(answer.body['hydra:totalItems']).toBe(12)
    expect(answer.body['hydra:member'][0]).toMatchObject({
      '@id': expect.any(String),
      '@type': 'Beneficiary',
    })
    const further = await complete('nombreux&limit=5&page=3')
    expect(matriculesOf(further)).toHaveLength(2)
    expect((await complete('nombreux&limit=11')).status).toBe(400)
    await server.db
      .updateTable('beneficiaries')
      .set({ reader_id: 'nombreux' })
      .where('matricule', '=', 'N9')
      .execute()
    expect(matriculesOf(await complete('nombreux'))[0]).toBe('N9')
    await server.db.deleteFrom('beneficiaries').where('lastname', '=', 'Nombreux').execute()
  })

  it('finds relatives when the library asks for it', async () => {
    const ways = () => Promise.all([complete('zoe'), complete('R2A'), list('searchname=zoé dupont')])
    for (const off of ['0', '', '2']) {
      await setParameter(server, 'relative_search', off)
      expect((await ways()).map(matriculesOf)).toEqual([[], [], []])
    }
    await setParameter(server, 'relative_search', '1')
    expect(matriculesOf(await complete('zoe'))).toEqual(['M2'])
    expect(matriculesOf(await complete('R2A'))).toEqual(['M2'])
    const found = await list('searchname=zoé dupont')
    expect(matriculesOf(found)).toEqual(['M2'])
    expect(found.body['hydra:totalItems']).toBe(1)
    await setParameter(server, 'relative_search', '0')
  })

  it('says through which relative a reader is found, and none for who is found by their own name', async () => {
    const subIdsOf = ({ body }: Answer) =>
      body['hydra:member'].map(({ sub_id }: { sub_id: number }) => sub_id)
    await setParameter(server, 'relative_search', '1')
    const { relatives } = (await biblio.get('/api/beneficiaries/2')).body
    expect(subIdsOf(await list('searchname=zoé'))).toEqual([relatives[0].id])
    expect(subIdsOf(await complete('R2A'))).toEqual([relatives[0].id])
    expect(subIdsOf(await list('searchname=éric'))).toEqual([null])
    expect(subIdsOf(await complete('dupont'))).toEqual([null])
    expect((await biblio.get('/api/beneficiaries/2')).body.sub_id).toBeNull()
    await setParameter(server, 'relative_search', '0')
    expect(subIdsOf(await list('searchname=dupont'))).toEqual([null])
  })

  it('keeps to the agency of the current site when beneficiaries are by site', async () => {
    expect(matriculesOf(await list('', { site: 2 }))).toHaveLength(4)
    await setParameter(server, 'by_site_beneficiaries', '1')
    expect(matriculesOf(await list('', { site: 2 }))).toEqual(['M3', 'M4'])
    expect(matriculesOf(await complete('m', { site: 1 }))).toEqual(['M2', 'M1'])
    expect(matriculesOf(await list(''))).toHaveLength(4)
    await setParameter(server, 'by_site_beneficiaries', '0')
  })
})
