import { expect, it } from 'vitest'

import { importReferences } from '../../src/server/catalogue/import-references.ts'
import { readCatalogueFile } from '../../src/server/catalogue/read-catalogue-file.ts'
import { describeServer } from '../support/test-server.ts'

describeServer('importing references', (server) => {
  async function importText(text: string) {
    const file = await readCatalogueFile(Buffer.from(text))
    if (!file.ok) throw new Error(file.message)
    const rows = file.rows.flatMap((row) => (row.ok ? [row] : []))
    return server.db.transaction().execute((trx) => importReferences(trx, rows))
  }

  it('adds each row, with media and categories found by name or made', async () => {
    const result = await importText(
      'titre;auteur;support;categorie;cote\nNana;Zola, Émile (1840-1902);livre;ROMAN;R ZOL\nJeu;;Jeu de société;jeux\u00a0;\nDé;;jeu de societe;Jeux;\n',
    )
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
    const result = await importText('titre;code\nUn;L1\nDeux;N1\nTrois;N1\nQuatre;\nCinq;\n')
    expect(result.added).toBe(3)
    expect(result.errors).toEqual([
      { line: 2, message: 'Le code «\u00a0L1\u00a0» est déjà celui d’une autre référence.' },
      { line: 4, message: 'Le code «\u00a0N1\u00a0» est déjà celui d’une autre référence.' },
    ])
  })

  it('adds more rows than one statement takes, each under its own line', async () => {
    const titles = Array.from({ length: 701 }, (_, at) => `Titre ${at}`)
    const result = await importText(`titre\n${titles.join('\n')}\n`)
    expect(result.added).toBe(701)
    const rows = await server.db.selectFrom('references').select(['id', 'name']).execute()
    const names = new Map(rows.map(({ id, name }) => [id, name]))
    expect(titles.map((_, at) => names.get(result.ids.get(at + 2) ?? 0))).toEqual(titles)
  })
})
