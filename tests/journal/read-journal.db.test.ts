import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'

import { setParameter } from '../settings/set-parameter.ts'
import { expectNobodyNamed, openTwoSites } from '../visibility/two-sites.ts'
import { type Client, describeServer } from '../support/test-server.ts'

describeServer('the journal of a reader', (server) => {
  let biblio: Client
  beforeAll(async () => {
    biblio = await server.as('biblio', '6f1c1f0e-0000-4000-8000-000000000001')
    await server.db.updateTable('devices').set({ name: 'Accueil' }).execute()
  })
  const read = (id: number, client = biblio, more = '') =>
    client.get(`/api/journal?entity=beneficiaries&id=${id}${more}`)

  it('tells when, who, on which device, and what, in words', async () => {
    await biblio.put('/api/beneficiaries/1', {
      exit_date: '2026-12-31',
      dossiers: ['Portage', 'Famille'],
      kind: 'collectivity',
      email: 'a@exemple.fr',
      commune: 'Blagnac',
    })
    const { status, body } = await read(1)
    expect(status).toBe(200)
    expect(body['hydra:totalItems']).toBe(1)
    expect(body['hydra:member'][0]).toMatchObject({
      at: '2026-03-10T09:00:00.000Z',
      action: 'Modification',
      who: 'biblio Test',
      device: 'Accueil',
      on_behalf_of: null,
      changes: [
        { field: 'Type', before: 'Personne', after: 'Collectivité' },
        { field: 'Dossiers', before: null, after: 'Portage, Famille' },
        { field: 'Date de sortie', before: null, after: '31/12/2026' },
        { field: 'Courriel', before: 'alice@exemple.fr', after: 'a@exemple.fr' },
        { field: 'Commune', before: null, after: 'Blagnac' },
      ],
    })
  })

  it('holds the relatives’ own lines, the latest first, and nobody else’s', async () => {
    await biblio.put('/api/relatives/1', { number: 'R2B' })
    const { body: added } = await biblio.post('/api/beneficiaries/2/relatives', { firstname: 'Tom' })
    await biblio.delete(`/api/beneficiaries/2/relatives/${added.id}`)
    const { body } = await read(2)
    expect(body['hydra:member'].map(({ action }: { action: string }) => action)).toEqual([
      'Retrait d’un proche\u202f: Tom Dupont',
      'Ajout d’un proche\u202f: Tom Dupont',
      'Modification d’un proche\u202f: Zoé Dupont',
    ])
    expect(body['hydra:member'][2].changes).toEqual([
      { field: 'Numéro de lecteur', before: 'R2A', after: 'R2B' },
    ])
    const second = await read(2, biblio, '&limit=1&page=2')
    expect(second.body['hydra:member'][0].action).toBe('Ajout d’un proche\u202f: Tom Dupont')
    expect(second.body['hydra:totalItems']).toBe(3)
  })

  it('is for who may change the reader, and not for others', async () => {
    expect((await read(1, await server.as('benevole'))).status).toBe(403)
    expect((await read(999)).status).toBe(404)
    expect((await biblio.get('/api/journal?entity=views&id=1')).status).toBe(400)
  })

  it('leaves out the fields that the caller may not see', async () => {
    await server.db
      .deleteFrom('profile_rights')
      .where('right_code', 'in', ['BENEFICIARY_CONTACT', 'BENEFICIARY_ADDRESS'])
      .execute()
    const { body } = await read(1)
    const fields = body['hydra:member'][0].changes.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['Type', 'Dossiers', 'Date de sortie'])
    expect(JSON.stringify(body)).not.toMatch(/exemple|Blagnac/)
  })

  it('is not there for a closed site', async () => {
    const people = await openTwoSites(server)
    await setParameter(server, 'by_site_beneficiaries', '1')
    const answer = await read(1, people.annexe)
    expect(answer.status).toBe(404)
    expectNobodyNamed(answer)
  })
})

describeServer('the journal of other records', (server) => {
  const linesOf = async (client: Client, entity: string, id: number) =>
    (await client.get(`/api/journal?entity=${entity}&id=${id}`)).body['hydra:member'] as {
      action: string
      changes: object[]
    }[]

  it('tells of a reference and its copies, relations by their names', async () => {
    const admin = await server.as('admin')
    await admin.put('/api/references/1', { category: 2, tags: { author: 'Camus, Albert' } })
    await admin.put('/api/copies/1', { state: 'DAMAGED', status: 'Non Disponible' })
    const [copy, reference] = await linesOf(admin, 'references', 1)
    expect(copy).toMatchObject({
      action: 'Modification d’un exemplaire\u202f: 1001',
      changes: [
        { field: 'État', before: 'Très bon état', after: 'Endommagé' },
        { field: 'Disponibilité', before: 'Disponible', after: 'Non Disponible' },
      ],
    })
    expect(reference).toMatchObject({ action: 'Modification' })
    expect(reference?.changes).toContainEqual({
      field: 'Auteur',
      before: 'Zola, Émile',
      after: 'Camus, Albert',
    })
    expect(reference?.changes).toContainEqual({ field: 'Catégorie', before: 'Roman', after: 'Film' })
    expect((await (await server.as('benevole')).get('/api/journal?entity=references&id=1')).status).toBe(403)
  })

  it('tells of coded fields and extra data, by the names that the library gave them', async () => {
    const admin = await server.as('admin')
    await sql`insert into list_types (name, "group") values ('Illustrateur', 'author')`.execute(server.db)
    await sql`insert into list_values (name, "group", type)
      select 'Doré, Gustave', 'author', id from list_types where name = 'Illustrateur'`.execute(server.db)
    await sql`update reference_fields set traduction = 'Rayon' where code = 'book_number'`.execute(server.db)
    const sent = {
      authors: { author: { Illustrateur: ['Doré, Gustave'] } },
      reference_data: { book_number: 'R ZOL', language: 'fre' },
    }
    expect((await admin.put('/api/references/2', sent)).status).toBe(200)
    expect((await linesOf(admin, 'references', 2))[0]?.changes).toEqual([
      { field: 'Auteurs', before: null, after: 'Illustrateur\u202f: Doré, Gustave' },
      { field: 'Langue', before: null, after: 'fre' },
      { field: 'Rayon', before: null, after: 'R ZOL' },
    ])
  })

  it('tells of a loan, a medium, a site and a user', async () => {
    const admin = await server.as('admin')
    const { body: loan } = await admin.post('/api/loanings', { beneficiary: 1, copy: 2 })
    await admin.put(`/api/loanings/${loan.id}`, { comment: 'Avec son livret' })
    const loans = await linesOf(admin, 'loanings', loan.id)
    expect(loans.map(({ action }) => action)).toEqual(['Modification', 'Prêt'])
    expect(loans[0]?.changes).toEqual([{ field: 'Commentaire', before: null, after: 'Avec son livret' }])
    await admin.put('/api/media/1', { max_loaning: 4 })
    expect((await linesOf(admin, 'media', 1))[0]?.changes).toContainEqual(
      expect.objectContaining({ field: 'Prêts au plus', after: '4' }),
    )
    await admin.put('/api/sites/2', { name: 'Annexe nord' })
    expect((await linesOf(admin, 'sites', 2))[0]?.changes).toEqual([
      { field: 'Nom', before: 'Annexe', after: 'Annexe nord' },
    ])
    const { id } = await server.db
      .selectFrom('users')
      .select('id')
      .where('username', '=', 'benevole')
      .executeTakeFirstOrThrow()
    await admin.put(`/api/users/${id}`, { lastname: 'Martin' })
    expect((await linesOf(admin, 'users', id))[0]?.changes).toEqual([
      { field: 'Nom', before: 'Test', after: 'Martin' },
    ])
    expect((await (await server.as('biblio')).get(`/api/journal?entity=users&id=${id}`)).status).toBe(403)
  })
})
