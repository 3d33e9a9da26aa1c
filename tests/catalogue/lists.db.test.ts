import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { referenceDataNames, tagNames } from '../../src/contract/catalogue.ts'
import { listTypes } from '../../src/contract/list-types.ts'
import { describeResource } from '../support/describe-resource.ts'
import { emptyTables } from '../support/empty-tables.ts'
import { type Answer, type Client, describeServer } from '../support/test-server.ts'

describeResource(listTypes, {
  one: { name: 'Illustrateur', group: 'author' },
  other: { name: 'Lettreur', group: 'author' },
  unique: 'name',
  use: async ({ db }, type, count) => {
    await sql`insert into list_values (name, "group", type) values ('Sempé', 'author', ${type})`.execute(db)
    await sql`insert into reference_list_values
      select r.id, v.id, 1 from "references" r, list_values v where v.type = ${type} and r.id <= ${count}`.execute(
      db,
    )
  },
})

const firstFault = ({ status, body }: Answer) => [status, body.violations?.[0]]
const named = (answer: Answer): string[] =>
  answer.body['hydra:member'].map(({ name }: { name: string }) => name)

describeServer('coded authors, editors and lists', (server) => {
  let admin: Client
  let biblio: Client
  let lecture: Client
  const addType = async (name: string, group: string, more: object = {}): Promise<number> => {
    const { status, body } = await admin.post('/api/list_types', { name, group, ...more })
    expect([status, body.violations]).toEqual([201, undefined])
    return body.id
  }
  const addValue = async (type: number, name: string): Promise<number> => {
    const { status, body } = await admin.post('/api/list_values', { name, type })
    expect([status, body.violations]).toEqual([201, undefined])
    return body.id
  }
  const give = (id: number, authors: object, more: object = {}) =>
    biblio.put(`/api/references/${id}`, { authors, ...more })
  const read = async (id: number) => (await lecture.get(`/api/references/${id}`)).body
  beforeAll(async () => {
    admin = await server.as('admin')
    biblio = await server.as('biblio')
    lecture = await server.as('lecture')
  })
  beforeEach(() => emptyTables(server.db, 'list_types'))

  describe('functions', () => {
    it('are the main author’s only in the group of authors, and of the media that are named', async () => {
      const { body: list } = await admin.post('/api/list_types', {
        name: 'Public visé',
        group: 'list',
        isMainAuthor: true,
        medium: ['/api/media/2', 1, 1],
      })
      expect(list).toMatchObject({
        isMainAuthor: false,
        medium: [
          { id: 2, name: 'DVD' },
          { id: 1, name: 'Livre' },
        ],
        nb_links: 0,
      })
      const author = await admin.post('/api/list_types', { name: 'A', group: 'author', isMainAuthor: true })
      expect(author.body.isMainAuthor).toBe(true)
      const moved = await admin.put(`/api/list_types/${author.body.id}`, { group: 'editor' })
      expect(moved.body).toMatchObject({ group: 'editor', isMainAuthor: false })
      expect(firstFault(await admin.put(`/api/list_types/${list.id}`, { medium: [999] }))).toEqual([
        422,
        { propertyPath: 'medium', message: 'Ce support n’existe pas.' },
      ])
      expect((await admin.put(`/api/list_types/${list.id}`, { medium: [] })).body.medium).toEqual([])
    })

    it('take their values to another group, and away with them', async () => {
      const type = await addType('Fonds', 'list')
      const value = await addValue(type, 'Local')
      expect((await admin.put(`/api/list_types/${type}`, { group: 'editor' })).status).toBe(200)
      const { body } = await lecture.get(`/api/list_values?id=${value}`)
      expect(body['hydra:member']).toMatchObject([{ group: 'editor', type: { id: type, name: 'Fonds' } }])
      await expect(
        sql`update list_values set "group" = 'author' where id = ${value}`.execute(server.db),
      ).rejects.toThrow(/foreign key/)
      expect((await admin.delete(`/api/list_types/${type}`)).status).toBe(204)
      expect(named(await lecture.get('/api/list_values'))).toEqual([])
    })

    it('tell how often references carry them, and are switched as file 2 writes it', async () => {
      const type = await addType('Traducteur', 'author')
      await addValue(type, 'Markowicz, André')
      for (const id of [1, 2, 3]) await give(id, { author: { Traducteur: ['Markowicz, André'] } })
      const links = await lecture.get(`/api/list_types/${type}/links`)
      expect([links.status, links.body]).toEqual([200, { nb_links: 3 }])
      expect((await lecture.get('/api/list_types/999/links')).status).toBe(404)
      const path = `/api/list_types/${type}/toggle`
      expect((await lecture.get(path)).status).toBe(403)
      expect((await admin.call('HEAD', path)).status).toBe(405)
      expect((await admin.get(path)).body).toMatchObject({ id: type, enabled: false })
      expect((await admin.post(path)).body).toMatchObject({ id: type, enabled: true })
    })
  })

  describe('values', () => {
    it('are found by group, function, name and state', async () => {
      const [author, editor] = [await addType('Auteur', 'author'), await addType('Imprimeur', 'editor')]
      const zola = await addValue(author, 'Zola, Émile')
      await addValue(author, 'Sand, George')
      await addValue(editor, 'Didot')
      const list = async (query: string) => named(await lecture.get(`/api/list_values?${query}`))
      expect(await list('')).toEqual(['Didot', 'Sand, George', 'Zola, Émile'])
      expect(await list('group|eq=author&name|like=EMILE')).toEqual(['Zola, Émile'])
      expect(await list('type.name|eq=Imprimeur')).toEqual(['Didot'])
      expect(await list(`type=${author}&limit=1&page=2`)).toEqual(['Zola, Émile'])
      expect((await admin.get(`/api/list_values/${zola}/toggle`)).body).toMatchObject({ enabled: false })
      expect(await list('enabled=1&group=author')).toEqual(['Sand, George'])
      expect((await admin.post(`/api/list_values/${zola}/toggle`)).body).toMatchObject({ enabled: true })
      expect((await lecture.post('/api/list_values', { name: 'X', type: author })).status).toBe(403)
    })

    it('are there once for a function, whose group they have', async () => {
      const [author, editor] = [await addType('Auteur', 'author'), await addType('Auteur', 'editor')]
      await addValue(author, 'Zola, Émile')
      await addValue(editor, 'Zola, Émile')
      const send = (body: object) => admin.post('/api/list_values', body)
      expect(firstFault(await send({ name: 'zola, emile', type: author }))).toEqual([
        422,
        { propertyPath: 'name', message: 'Cette fonction a déjà une valeur de ce nom.' },
      ])
      expect(firstFault(await send({ name: 'X', type: author, group: 'editor' }))[1]).toMatchObject({
        propertyPath: 'group',
      })
      expect(firstFault(await send({ name: 'X', type: 999 }))[1]).toMatchObject({ propertyPath: 'type' })
      expect((await send({ name: 'X', type: `/api/list_types/${author}`, group: 'author' })).status).toBe(201)
    })

    it('stay while a reference carries them, and go after', async () => {
      const value = await addValue(await addType('Auteur', 'author'), 'Zola, Émile')
      for (const id of [1, 2]) await give(id, { author: { Auteur: ['Zola, Émile'] } })
      const kept = await admin.delete(`/api/list_values/${value}`)
      expect(kept).toMatchObject({ status: 409, body: { reason: 'IN_USE', facts: { count: 2 } } })
      for (const id of [1, 2]) await give(id, { author: {} })
      expect((await admin.delete(`/api/list_values/${value}`)).status).toBe(204)
      expect(firstFault(await give(1, { author: { Auteur: ['Zola, Émile'] } }))).toEqual([
        422,
        {
          propertyPath: 'authors.author',
          message: '«\u00a0Zola, Émile\u00a0» n’est pas une valeur de «\u00a0Auteur\u00a0».',
        },
      ])
    })
  })

  describe('the author that main authors say', () => {
    const author = async (id: number) => (await read(id)).tags.author

    it('goes with the function that said it, and what was written by hand stays', async () => {
      const type = await addType('Auteur', 'author', { isMainAuthor: true })
      await addValue(type, 'Zola, Émile')
      await give(1, { author: { Auteur: ['Zola, Émile'] } })
      await give(2, { author: { Auteur: ['Zola, Émile'] } })
      await sql`update "references" set tags = '{"author":"À la main"}' where id = 2`.execute(server.db)
      await admin.put(`/api/list_types/${type}`, { isMainAuthor: false })
      expect([await author(1), await author(2)]).toEqual([undefined, 'À la main'])
      await admin.put(`/api/list_types/${type}`, { isMainAuthor: true })
      expect(await author(1)).toBe('Zola, Émile')
      await admin.put(`/api/list_types/${type}`, { group: 'editor' })
      expect(await author(1)).toBeUndefined()
    })

    it('goes with a value that is given to another function, and the other authors stay', async () => {
      const [main, other] = [
        await addType('Auteur', 'author', { isMainAuthor: true }),
        await addType('Traducteur', 'author'),
      ]
      const zola = await addValue(main, 'Zola, Émile')
      await addValue(main, 'Sand, George')
      await give(1, { author: { Auteur: ['Zola, Émile', 'Sand, George'] } })
      await give(2, { author: { Auteur: ['Zola, Émile'] } })
      await admin.put(`/api/list_values/${zola}`, { type: other })
      expect([await author(1), await author(2)]).toEqual(['Sand, George', undefined])
    })
  })

  it('counts references once that carry several values of a function', async () => {
    const type = await addType('Genre', 'list')
    for (const name of ['A', 'B', 'C']) await addValue(type, name)
    await give(1, { list: { Genre: ['A', 'B', 'C'] } })
    expect((await admin.get(`/api/list_types/${type}/links`)).body).toEqual({ nb_links: 3 })
    expect((await admin.delete(`/api/list_types/${type}`)).body.message).toMatch(/^Une référence porte/)
  })

  describe('merging', () => {
    it('gives all references the target once, a new version to each, and is journalled', async () => {
      const type = await addType('Auteur', 'author', { isMainAuthor: true })
      const [wrong, right] = [await addValue(type, 'Zola, E.'), await addValue(type, 'Zola, Émile')]
      await give(1, { author: { Auteur: ['Zola, E.'] } })
      await give(2, { author: { Auteur: ['Zola, E.', 'Zola, Émile'] } })
      const { version } = await read(1)
      const merged = await admin.get(`/api/list_values/${wrong}/merge/${right}`)
      expect(merged).toMatchObject({ status: 200, body: { id: right, ref_count: 2 } })
      for (const id of [1, 2]) {
        expect(await read(id)).toMatchObject({
          authors: { author: { Auteur: ['Zola, Émile'] } },
          tags: { author: 'Zola, Émile' },
        })
      }
      expect((await biblio.put('/api/references/1', { name: 'Nana', version })).body.reason).toBe(
        'CHANGED_SINCE',
      )
      expect(named(await lecture.get('/api/list_values'))).toEqual(['Zola, Émile'])
      const line = await server.db
        .selectFrom('audit_journal')
        .selectAll()
        .where('action', '=', 'list_values.merge')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      expect(line).toMatchObject({ entity_id: wrong, before: { name: 'Zola, E.' }, after: { id: right } })
    })

    it('tells who has a reference open, whose author stays what it is', async () => {
      const type = await addType('Genre', 'list')
      const [crime, thriller] = [await addValue(type, 'Polar'), await addValue(type, 'Policier')]
      await give(3, { list: { Genre: ['Polar'] } })
      const { version } = await read(3)
      await admin.post(`/api/list_values/${crime}/merge/${thriller}`)
      const late = await biblio.put('/api/references/3', { price: '2.00', version })
      expect(late).toMatchObject({ status: 409, body: { reason: 'CHANGED_SINCE' } })
    })

    it('is of one function, of values that are there, by whoever may', async () => {
      const [author, other] = [await addType('Auteur', 'author'), await addType('Traducteur', 'author')]
      const [a, b] = [await addValue(author, 'A'), await addValue(other, 'B')]
      const merge = (from: number, into: number, as = admin) =>
        as.post(`/api/list_values/${from}/merge/${into}`)
      expect(firstFault(await merge(a, b))[1]).toMatchObject({ propertyPath: 'target' })
      expect(firstFault(await merge(a, a))[1]).toMatchObject({ propertyPath: 'target' })
      expect((await merge(a, 999)).status).toBe(404)
      expect((await merge(a, b, biblio)).status).toBe(403)
    })

    it('of the same two, both ways at once, leaves one of them with all its references', async () => {
      const type = await addType('Auteur', 'author')
      const [a, b] = [await addValue(type, 'A'), await addValue(type, 'B')]
      for (const id of [1, 2, 3]) await give(id, { author: { Auteur: [id === 2 ? 'B' : 'A'] } })
      const answers = await Promise.all([
        admin.post(`/api/list_values/${a}/merge/${b}`),
        admin.post(`/api/list_values/${b}/merge/${a}`),
        give(4, { author: { Auteur: ['A'] } }),
      ])
      expect(
        answers
          .slice(0, 2)
          .map(({ status }) => status)
          .sort(),
      ).toEqual([200, 404])
      const [kept] = (await lecture.get('/api/list_values')).body['hydra:member']
      // The reference that was written meanwhile has what stayed, or was told that it went.
      const isTaken = answers[2]?.status === 200
      expect(kept.ref_count).toBe(isTaken ? 4 : 3)
      if (!isTaken) expect(answers[2]?.status).toBe(422)
      for (const id of [1, 2, 3])
        expect((await read(id)).authors).toEqual({ author: { Auteur: [kept.name] } })
    })
  })

  describe('of a reference', () => {
    it('are written by group in their order, once each, and told as they were sent', async () => {
      const [main, other, list] = [
        await addType('Auteur', 'author'),
        await addType('Illustrateur', 'author'),
        await addType('Fonds', 'list'),
      ]
      for (const name of ['Goscinny, René', 'Abel']) await addValue(main, name)
      await addValue(other, 'Sempé')
      await addValue(list, 'Local > Histoire')
      const added = await admin.post('/api/references', {
        name: 'Le Petit Nicolas',
        authors: {
          author: { Auteur: ['Goscinny, René', 'goscinny, rene', 'Abel'], Illustrateur: ['Sempé'] },
          list: { Fonds: ['Local > Histoire'] },
        },
      })
      const authors = {
        author: { Auteur: ['Goscinny, René', 'Abel'], Illustrateur: ['Sempé'] },
        list: { Fonds: ['Local > Histoire'] },
      }
      expect(added).toMatchObject({ status: 201, body: { authors } })
      const { id } = added.body
      await give(id, { list: {} })
      expect((await read(id)).authors).toEqual({ author: authors.author })
      await give(id, { author: { Auteur: ['Abel', 'Goscinny, René'] } })
      expect((await read(id)).authors).toEqual({ author: { Auteur: ['Abel', 'Goscinny, René'] } })
      expect((await admin.put(`/api/list_types/${main}`, { name: 'Texte' })).status).toBe(200)
      expect((await read(id)).authors).toEqual({ author: { Texte: ['Abel', 'Goscinny, René'] } })
    })

    it('refuses names that no object keeps, instead of losing them', async () => {
      const { status } = await admin.call('PUT', '/api/references/1', undefined, {
        headers: { 'content-type': 'application/json' },
        rawBody: '{"name":"A","authors":{"author":{"__proto__":["x"]}}}',
      })
      expect(status).toBe(422)
    })

    it('are of functions that are there and for its medium', async () => {
      const type = await addType('Réalisateur', 'author', { medium: [2] })
      await addValue(type, 'Varda, Agnès')
      const varda = { author: { Réalisateur: ['Varda, Agnès'] } }
      expect(firstFault(await give(1, varda))).toEqual([
        422,
        {
          propertyPath: 'authors.author',
          message: '«\u00a0Réalisateur\u00a0» n’est pas pour ce support.',
        },
      ])
      expect((await give(11, varda)).status).toBe(200)
      // What it has stays, also under another medium.
      expect((await give(11, varda, { medium: 1 })).status).toBe(200)
      expect(firstFault(await give(1, { editor: { Réalisateur: ['X'] } }))[1]).toEqual({
        propertyPath: 'authors.editor',
        message: 'La fonction «\u00a0Réalisateur\u00a0» n’existe pas.',
      })
      expect((await give(1, { painter: {} })).status).toBe(422)
      expect((await give(1, { author: { X: 'Y' } })).status).toBe(422)
    })

    it('say its author where they are the main ones, for lists, searches and what follows', async () => {
      const type = await addType('Auteur', 'author', { isMainAuthor: true })
      const value = await addValue(type, 'Sand, George')
      await addValue(type, 'Sandeau, Jules')
      const author = async () => (await read(5)).tags.author
      await give(5, { author: { Auteur: ['Sand, George', 'Sandeau, Jules'] } })
      expect(await author()).toBe('Sand, George ; Sandeau, Jules')
      const other = await biblio.put('/api/references/5', { tags: { author: 'Autre' } })
      expect(firstFault(other)).toEqual([
        422,
        {
          propertyPath: 'tags.author',
          message:
            'L’auteur est celui que disent les auteurs principaux, «\u00a0Sand, George ; Sandeau, Jules\u00a0»\u202f: changez-les plutôt que ce champ.',
        },
      ])
      const both = { author: { Auteur: ['Sand, George'] } }
      expect((await give(5, both, { tags: { author: 'Sandeau, Jules' } })).status).toBe(422)
      expect((await give(5, both, { tags: { author: 'sand, george' } })).status).toBe(200)
      expect(await author()).toBe('Sand, George')
      await give(5, { author: { Auteur: ['Sand, George', 'Sandeau, Jules'] } })
      expect(await author()).toBe('Sand, George ; Sandeau, Jules')
      await admin.put(`/api/list_values/${value}`, { name: 'Dupin, Aurore' })
      expect(await author()).toBe('Dupin, Aurore ; Sandeau, Jules')
      expect(named(await lecture.get('/api/references?searchname=dupin'))).toEqual(['Livre numéro 5'])
      await give(5, { author: {} })
      expect(await author()).toBeUndefined()
      // A function that becomes the main author's says it of all its references.
      const later = await addType('Conteur', 'author')
      await addValue(later, 'Perrault')
      await give(6, { author: { Conteur: ['Perrault'] } })
      expect((await read(6)).tags.author).toBe('Zola, Émile')
      await admin.put(`/api/list_types/${later}`, { isMainAuthor: true })
      expect((await read(6)).tags.author).toBe('Perrault')
    })
  })

  describe('fields', () => {
    it('are one for each tag and each piece of data, renamed and switched by whoever may', async () => {
      const all = await lecture.get('/api/reference_fields?limit=100')
      expect(all.body['hydra:member'].map(({ code }: { code: string }) => code).toSorted()).toEqual(
        [...tagNames, ...referenceDataNames].toSorted(),
      )
      const [field] = (await lecture.get('/api/reference_fields?code=subhead')).body['hydra:member']
      expect(field).toMatchObject({ name: 'Sous-titre', traduction: '', disabled: false })
      const path = `/api/reference_fields/${field.id}`
      const changed = await admin.put(path, { traduction: ' Complément du titre ', disabled: true })
      expect(changed.body).toMatchObject({ traduction: 'Complément du titre', disabled: true })
      const shown = await lecture.get('/api/reference_fields?disabled=0&limit=100')
      expect(shown.body['hydra:totalItems']).toBe(tagNames.length + referenceDataNames.length - 1)
      expect((await biblio.put(path, { disabled: false })).status).toBe(403)
      expect((await admin.put('/api/reference_fields/999', {})).status).toBe(404)
      expect(firstFault(await admin.put(path, { disabled: 'oui' }))[1]).toMatchObject({
        propertyPath: 'disabled',
      })
    })
  })
})
