import { expect, it } from 'vitest'

import { addReferences, type NewReference } from '../../src/server/catalogue/add-references.ts'
import { describeServer } from '../support/test-server.ts'

const named = (name: string, more: Partial<NewReference> = {}): NewReference => ({
  name,
  code: null,
  description: '',
  short_description: '',
  medium: null,
  category: null,
  price: '0.00',
  keywords: [],
  tags: {},
  reference_data: {},
  ...more,
})

describeServer('adding references', (server) => {
  const add = (references: readonly NewReference[]) =>
    server.db.transaction().execute((trx) =>
      addReferences(
        trx,
        references.map((reference, at) => ({ line: at + 2, reference })),
      ),
    )

  it('adds each row, with media and categories found by name or made', async () => {
    const result = await add([
      named('Nana', {
        medium: 'livre',
        category: 'ROMAN',
        tags: { author: 'Zola, Émile' },
        reference_data: { book_number: 'R ZOL' },
      }),
      named('Jeu', { medium: 'Jeu de société', category: 'jeux' }),
      named('Dé', { medium: 'jeu de societe', category: 'Jeux' }),
    ])
    expect(result).toMatchObject({ added: 3, errors: [] })
    const rows = await server.db
      .selectFrom('references')
      .leftJoin('media', 'media.id', 'references.medium')
      .leftJoin('categories', 'categories.id', 'references.category')
      .select([
        'references.id',
        'references.name',
        'media.name as medium',
        'categories.name as category',
        'tags',
        'reference_data',
      ])
      .where('references.id', 'in', [...result.ids.values()])
      .orderBy('references.id')
      .execute()
    expect(rows).toMatchObject([
      {
        id: result.ids.get(2),
        name: 'Nana',
        medium: 'Livre',
        category: 'Roman',
        tags: { author: 'Zola, Émile' },
      },
      { id: result.ids.get(3), name: 'Jeu', medium: rows[2]?.medium, category: rows[2]?.category, tags: {} },
      { id: result.ids.get(4), name: 'Dé' },
    ])
    expect(rows[0]?.reference_data).toEqual({ book_number: 'R ZOL' })
    expect(rows[1]?.medium?.toLowerCase()).toMatch(/^jeu de soci/)
  })

  it('answers the lines whose code is taken, in the database or in the file', async () => {
    const result = await add([
      named('Un', { code: 'L1' }),
      named('Deux', { code: 'N1' }),
      named('Trois', { code: 'N1' }),
      named('Quatre'),
      named('Cinq'),
    ])
    expect(result.added).toBe(3)
    expect(result.errors).toEqual([
      { line: 2, message: 'Le code «\u00a0L1\u00a0» est déjà celui d’une autre référence.' },
      { line: 4, message: 'Le code «\u00a0N1\u00a0» est déjà celui d’une autre référence.' },
    ])
  })

  it('adds more rows than one statement takes, each under its own line', async () => {
    const titles = Array.from({ length: 701 }, (_, at) => `Titre ${at}`)
    const result = await add(titles.map((title) => named(title)))
    expect(result.added).toBe(701)
    const rows = await server.db.selectFrom('references').select(['id', 'name']).execute()
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    expect(titles.map((_, at) => names.get(result.ids.get(at + 2) ?? 0))).toEqual(titles)
  })
})
