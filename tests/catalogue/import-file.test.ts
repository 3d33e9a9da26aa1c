import { createReadStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { readCatalogueFile } from '../../src/server/catalogue/read-catalogue-file.ts'
import { getCatalogueFile } from '../../src/server/demonstration/catalogue-file.ts'

const read = (text: string, options = {}) => readCatalogueFile(Buffer.from(text), options)

/** What the rows of a file that is a catalogue became. */
async function rowsOf(source: Buffer | string, options = {}) {
  const file = await readCatalogueFile(Buffer.from(source), options)
  if (!file.ok) throw new Error(file.message)
  return file.rows
}

describe('the catalogue of Toulouse', () => {
  it('is read whole, but for its one row without a title', async () => {
    const file = await readCatalogueFile(createReadStream(getCatalogueFile()))
    if (!file.ok) throw new Error(file.message)
    expect(file.columns.map(({ field }) => field)).toEqual([
      null,
      'medium',
      'name',
      'author',
      'publisher',
      'year',
      'level',
      'book_number',
      'library',
      null,
      null,
    ])
    expect(file.rows).toHaveLength(8401)
    expect(file.rows.filter(({ ok }) => !ok)).toMatchObject([{ line: 8402, message: 'Le titre est vide.' }])

    const references = file.rows.flatMap((row) => (row.ok ? [row.reference] : []))
    expect(references.filter(({ tags }) => tags.author === undefined)).toHaveLength(855)
    expect(references.filter(({ tags }) => tags.year === undefined)).toHaveLength(2995)
    // 2,227 codes of the row's own library (one on the row without a title), and 186 of the main one.
    const original = readFileSync(getCatalogueFile(), 'utf8').trim().split('\n').slice(1)
    const withCallNumber = original.filter((line) => {
      const [callNumber, library] = line.split(';').slice(-4, -2)
      return callNumber !== '' && callNumber !== library && callNumber !== 'CABANIS'
    })
    expect(references.filter(({ reference_data }) => reference_data.book_number)).toHaveLength(
      withCallNumber.length,
    )
    expect(withCallNumber.length).toBeLessThan(8401 - 2227)
    expect(references.every(({ name }) => name !== '' && !/\[texte|\s\s|^\s|\s$/i.test(name))).toBe(true)
    expect(references.filter(({ name }) => name.length > 75).length).toBeLessThan(20)
  })
})

describe('forms of files', () => {
  const expected = { name: 'Été', tags: { author: 'Élise', year: '2001' } }

  it.each([
    ['semicolons', 'titre;auteur;annee\nÉté;Élise;2001\n'],
    ['commas and quotes', 'title,author,year\r\n"Été","Élise",2001\r\n'],
    ['tabs', 'Titre\tAuteur\tAnnée\nÉté\tÉlise\t2001'],
    ['the mark of UTF-8', '\ufefftitre;auteur;annee\nÉté;Élise;2001\n'],
    ['empty lines', '\ntitre;auteur;annee\n\nÉté;Élise;2001\n;;\n'],
  ])('reads %s', async (_, text) => {
    const rows = await rowsOf(text)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ ok: true, reference: expected })
  })

  it('reads Windows-1252', async () => {
    const [row] = await rowsOf(Buffer.from('titre\nL\x92\xe9t\xe9 \x80\x9c\xbd\n', 'latin1'))
    expect(row).toMatchObject({ ok: true, reference: { name: 'L’été €œ½' } })
  })

  it('reads a stream in pieces', async () => {
    const file = await readCatalogueFile(Readable.from([Buffer.from('titre\nUn'), Buffer.from('e\nDeux\n')]))
    expect(file).toMatchObject({ ok: true, rows: [{ line: 2 }, { line: 3 }] })
  })

  it('keeps quotation marks inside a field, and counts lines through quoted ones', async () => {
    const rows = await rowsOf('titre;auteur\n"Un ""mauvais""\ngenre";x\nNat "King" Cole;y\n')
    expect(rows).toMatchObject([
      { line: 2, reference: { name: 'Un "mauvais" genre' } },
      { line: 4, reference: { name: 'Nat "King" Cole' } },
    ])
  })

  it('follows the mapping it is given', async () => {
    const [row] = await rowsOf('A;titre;C\nUn;deux;12,5\n', {
      mapping: { A: 'name', titre: 'subhead', C: 'price' },
    })
    expect(row).toMatchObject({
      reference: { name: 'Un', price: '12.50', reference_data: { subhead: 'deux' } },
    })
    const [other] = await rowsOf('titre;annee\nUn;1999\n', { mapping: { annee: null } })
    expect(other).toMatchObject({ reference: { name: 'Un', tags: {} } })
  })
})

describe('rows that are no reference', () => {
  it.each([
    ['too few columns', 'Un;x', '2 colonnes au lieu de 3.'],
    ['too many columns', 'Un;x;2000;z', '4 colonnes au lieu de 3.'],
    ['no title', ';x;2000', 'Le titre est vide.'],
    ['no more than its makers', ' / Zola;x;2000', 'Le titre est vide.'],
    ['no year', 'Un;x;bientôt', '«\u00a0bientôt\u00a0» n’est pas une année.'],
    [
      'a long title',
      `${'a'.repeat(501)};x;2000`,
      'Le champ «\u00a0Titre\u00a0» est trop long (501 caractères, au plus 500).',
    ],
    [
      'a long author',
      `Un;${'a'.repeat(600)};2000`,
      'Le champ «\u00a0Auteur\u00a0» est trop long (600 caractères, au plus 500).',
    ],
  ])('refuses one with %s', async (_, line, message) => {
    const rows = await rowsOf(`titre;auteur;annee\nBon;x;2000\n${line}\nBon;x;2000\n`)
    expect(rows.map(({ ok }) => ok)).toEqual([true, false, true])
    expect(rows[1]).toMatchObject({ line: 3, message })
  })
})

describe('files that are no catalogue', () => {
  it.each([
    ['an empty one', '', 1, 'Le fichier est vide.'],
    ['one of empty lines', '\n\n;;\n', 1, 'Le fichier est vide.'],
    [
      'a header alone',
      'titre;auteur\n',
      1,
      'Le fichier ne contient aucune ligne après celle des noms de colonnes.',
    ],
    [
      'rows without a header',
      'Germinal;Zola\nNana;Zola\n',
      1,
      'La première ligne doit nommer une colonne de titre',
    ],
    [
      'a page',
      '<!doctype html>\n<title>Catalogue</title>\n',
      1,
      'La première ligne doit nommer une colonne de titre',
    ],
    ['a column twice', 'titre;titre\na;b\n', 1, 'La colonne «\u00a0titre\u00a0» figure deux fois.'],
    ['a field twice', 'titre;title\na;b\n', 1, 'Deux colonnes donnent le même champ «\u00a0Titre\u00a0».'],
    [
      'a quotation mark left open',
      'titre\nUn\n"Deux\nTrois\n',
      3,
      'Un guillemet ouvert sur cette ligne n’est pas refermé.',
    ],
    ['junk further down', 'titre\nUn\nDe\u0000ux\n', 3, 'Des signes illisibles montrent'],
    ['a workbook', 'PK\u0003\u0004…', 1, 'Ce fichier est un classeur ou une archive'],
    ['a PDF', '%PDF-1.7\n', 1, 'Ce fichier est un PDF'],
  ])('refuses %s', async (_, text, line, message) => {
    expect(await read(text)).toEqual({ ok: false, line, message: expect.stringContaining(message) })
  })

  it('refuses an image', async () => {
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0xff, 0xfe])
    expect(await readCatalogueFile(image)).toMatchObject({ ok: false, line: 2 })
  })

  it('refuses a mapping of columns or fields that do not exist', async () => {
    expect(await read('titre\nUn\n', { mapping: { Auteur: 'author' } })).toMatchObject({
      message: 'La colonne «\u00a0Auteur\u00a0» n’est pas dans le fichier.',
    })
    expect(await read('titre\nUn\n', { mapping: { titre: 'constructor' } })).toMatchObject({
      message: 'Le champ «\u00a0constructor\u00a0» n’existe pas.',
    })
  })

  it('refuses what is too big or too long, without reading on', async () => {
    let given = 0
    const endless = Readable.from(
      (function* () {
        for (;;) {
          given += 1
          yield Buffer.alloc(1_000_000, 'a')
        }
      })(),
    )
    expect(await readCatalogueFile(endless)).toEqual({
      ok: false,
      line: 1,
      message: 'Le fichier est trop volumineux, la taille ne doit pas excéder 50\u202fMo.',
    })
    expect(given).toBeLessThan(100)
    expect(await readCatalogueFile(Buffer.alloc(1001), { maxBytes: 1000 })).toMatchObject({ ok: false })
    expect(await read(`titre\n${'Un\n'.repeat(11)}`, { maxRows: 10 })).toMatchObject({
      ok: false,
      line: 12,
      message: 'Le fichier compte plus de 10 lignes\u202f: séparez-le en plusieurs.',
    })
    expect(await read(`titre\n${'Un\n'.repeat(10)}`, { maxRows: 10 })).toMatchObject({ ok: true })
  })
})
