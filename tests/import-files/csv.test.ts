import { describe, expect, it } from 'vitest'

import { csvRows } from '../../src/server/import-files/csv-rows.ts'
import { bytesInMemory } from '../../src/server/import-files/file-bytes.ts'
import { inShort, latin1, openBytes, refusalOf, rowsOf, utf8 } from './make-files.ts'

describe('the reading of a CSV file', () => {
  it.each([
    [';', 'Titre;Auteur\nLe Horla;Maupassant, Guy de\n'],
    [',', 'Titre,Auteur\n"Oui, oui",Blyton\n'],
    ['\t', 'Titre\tAuteur\nA;B;C\tD, E\n'],
    ['|', 'Titre|Auteur\nUn, deux; trois|D\n'],
  ] as const)('finds the delimiter %j', async (delimiter, text) => {
    const file = await openBytes(text)
    expect(file).toMatchObject({ kind: 'csv', delimiter, has_header: true })
    expect(file.columns.map(({ name }) => name)).toEqual(['Titre', 'Auteur'])
  })

  it('lets the person choose another delimiter', async () => {
    const file = await openBytes('Titre;a,b\nUn;deux,trois\n', { delimiter: ',' })
    expect(file.columns.map(({ name }) => name)).toEqual(['Titre;a', 'b'])
  })

  it('counts rows as a spreadsheet does: the header, empty rows, and a cell of two lines as one row', async () => {
    const text =
      '\ufeffTitre;Résumé\r\n"Germinal";"Une mine,\r\nun coron"\r\n\r\n;\r\n"dit ""Le Grand""";x\r\n'
    expect(inShort(await rowsOf(text))).toEqual([
      '2: Germinal | Une mine,\r\nun coron',
      '5: dit "Le Grand" | x',
    ])
  })

  it('tells a row that has too few or too many cells, and reads the next', async () => {
    const text = 'Titre;Auteur;Année\nA;B;1999\nC;D\nE;F;2000;x;\nG;H;2001;;\n'
    expect(inShort(await rowsOf(text))).toEqual([
      '2: A | B | 1999',
      '3! La ligne a 2 colonnes au lieu de 3 : un séparateur ou un guillemet est sans doute de trop, ou manque.',
      '4! La ligne a 4 colonnes au lieu de 3 : un séparateur ou un guillemet est sans doute de trop, ou manque.',
      '5: G | H | 2001',
    ])
  })

  it('gives a damaged row back as it was', async () => {
    expect((await rowsOf('Titre;Auteur\nA;B;C\n'))[0]).toMatchObject({
      type: 'damaged',
      cells: ['A', 'B', 'C'],
    })
  })

  it('reads a file without a header, and one of old Macintosh line ends', async () => {
    const file = await openBytes('9782070360024;L’Étranger;1942\r9782070413119;La Peste;1947\r')
    expect(file.has_header).toBe(false)
    expect(file.columns).toMatchObject([
      { index: 0, name: 'Colonne 1', values: ['9782070360024', '9782070413119'] },
      { name: 'Colonne 2' },
      { name: 'Colonne 3', values: ['1942', '1947'] },
    ])
    expect(inShort(await rowsOf('9782070360024;L’Étranger;1942\r'))).toEqual([
      '1: 9782070360024 | L’Étranger | 1942',
    ])
  })

  it('passes over what stands above the names of the columns', async () => {
    const text = 'Médiathèque : fonds jeunesse;;\n12/03/2026;;\n\nTitre;Auteur;Année\nA;B;1999\n'
    const file = await openBytes(text)
    expect(file.columns.map(({ name }) => name)).toEqual(['Titre', 'Auteur', 'Année'])
    expect(file.columns[0]?.values).toEqual(['A'])
    expect(inShort(await rowsOf(text))).toEqual(['5: A | B | 1999'])
    // Nothing names the columns: all of it may be rows.
    expect((await openBytes('Liste;\nA;B\nC;D\n')).columns).toHaveLength(1)
  })

  it('believes the person about the header', async () => {
    expect((await openBytes('12;13\n1;2\n', { header: true })).columns[0]).toMatchObject({
      name: '12',
      values: ['1'],
    })
    expect((await openBytes('Titre;Auteur\n', { header: false })).columns[0]).toMatchObject({
      name: 'Colonne 1',
    })
  })

  it('names columns that have no name, and those that have the same', async () => {
    const { columns } = await openBytes('Titre;;Titre\na;b;c\n')
    expect(columns.map(({ name }) => name)).toEqual(['Titre', 'Colonne 2', 'Titre (2)'])
  })

  it('refuses signs that are none on their row alone, and takes controls away', async () => {
    const bytes = Buffer.concat([
      utf8('Titre;Auteur\nÉté à Nîmes, déjà vu, fêtée, où, ç, è, é, é, é, é, é, é, é, é, é, é;x\nA\0;b\nc;'),
      latin1('é'),
      utf8('\nd\u0001e;f\n'),
    ])
    expect(inShort(await rowsOf(bytes)).slice(1)).toEqual([
      '3! La colonne « Titre » a des signes illisibles dans ce jeu de caractères.',
      '4! La colonne « Auteur » a des signes illisibles dans ce jeu de caractères.',
      '5: de | f',
    ])
  })

  it('refuses a surrogate without its other half', async () => {
    const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
    expect(inShort(await rowsOf(wide('Titre;Auteur\nÉ;\ud800\nf;\ud83d\ude00\n')))).toEqual([
      '2! La colonne « Auteur » a des signes illisibles dans ce jeu de caractères.',
      '3: f | 😀',
    ])
  })

  it.each([
    ['utf16le', 'utf-16le', Buffer.from('\ufeffTitre;Auteur\r\nÉté;Zoé\r\n', 'utf16le')],
    ['without a mark', 'utf-16le', Buffer.from('Titre;Auteur\r\nEté;Zoé\r\n', 'utf16le')],
    ['utf16be', 'utf-16be', Buffer.from('\ufeffTitre;Auteur\r\nÉté;Zoé\r\n', 'utf16le').swap16()],
  ])('reads UTF-16 (%s)', async (_, charset, bytes) => {
    const file = await openBytes(bytes)
    expect(file.charset?.name).toBe(charset)
    expect(file.columns.map(({ name }) => name)).toEqual(['Titre', 'Auteur'])
    expect(inShort(await rowsOf(bytes))[0]).toMatch(/^2: .té \| Zoé$/)
  })

  it.each([
    ['before text', 'W1;"boîte 5\nW2;"rue" A\nW3;B\n', ['2!', '3: W2 | "rue" A', '4: W3 | B']],
    ['in a cell behind', '"W1\nW2";"boîte 5\nW3;"B"\nW4;C\n', ['2!', '3!', '4: W3 | B', '5: W4 | C']],
    ['which opens the next line', '"W1;a\n"W2;b\nW3;c\n', ['2!', '3!', '4: W3 | c']],
  ])('tells a quotation mark that takes in the next line, %s, and reads those', async (_, text, rows) => {
    const read = inShort(await rowsOf(`Titre;Auteur\n${text}`))
    expect(read.map((row) => row.replace(/!.*/, '!'))).toEqual(rows)
    expect(read[0]).toMatch(/^2! La ligne a un guillemet de trop : /)
  })

  it('takes none for stray that quotes at the beginning of several lines', async () => {
    expect(inShort(await rowsOf('Titre;Auteur\n"""Oui"", dit-il,\n""non""";x\n'))).toEqual([
      '2: "Oui", dit-il,\n"non" | x',
    ])
  })

  it('is not stopped by a hundred stray quotation marks in one row', async () => {
    const rows = await rowsOf(`Titre;Auteur\n${'"a\n"b;'.repeat(100)}\nC;D\n`)
    expect(inShort(rows).at(-1)).toMatch(/: C \| D$/)
  })

  it('passes over the sign by which DOS ends a file', async () => {
    expect(inShort(await rowsOf('Titre;Auteur\nA;B\n\u001a'))).toEqual(['2: A | B'])
  })

  it('refuses a quotation mark that nothing closes, on the row where it stands', async () => {
    expect(await refusalOf(rowsOf('Titre;Auteur\nA;B\n"C;D\nE;F\n'))).toBe(
      'Un guillemet ouvert sur la ligne 3 n’est pas refermé.',
    )
  })

  it('tells that row even where nobody took those before it', async () => {
    const bytes = utf8('Titre;Auteur\nA;B\n"C;D\nE;F\n')
    const file = {
      size: bytes.length,
      at: () => Promise.resolve(bytes),
      async *pieces() {
        yield bytes
      },
    }
    const rows = csvRows(file, 'utf-8', ';')
    await expect(rows.next()).rejects.toMatchObject({ name: 'ImportFileRefusal', line: 3 })
  })

  it('refuses a line of ten million signs', async () => {
    const bytes = Buffer.concat([utf8('Titre;Auteur\nA;B\n'), Buffer.alloc(10_000_000, 'x'), utf8(';C\n')])
    expect(await refusalOf(rowsOf(bytes))).toMatch(/^La ligne 3 compte plus de 1 000 000 caractères/)
  })

  it('refuses more than 200 columns', async () => {
    expect(await refusalOf(rowsOf(`${'a;'.repeat(200)}a\n`))).toMatch(/^La ligne 1 a plus de 200 colonnes/)
  })

  it('refuses a header alone, and a file of empty lines', async () => {
    expect(await refusalOf(rowsOf('Titre;Auteur\n'))).toBe(
      'Le fichier ne contient aucune ligne après celle des noms de colonnes.',
    )
    expect(await refusalOf(rowsOf('\n;;\n \n'))).toBe('Le fichier est vide : aucune cellule n’a de valeur.')
  })

  it('can be gone through again, and given up', async () => {
    const file = await openBytes(`Titre\n${'a\n'.repeat(5000)}`)
    for await (const row of file.rows) if (row.line > 3) break
    let count = 0
    for await (const _ of file.rows) count += 1
    expect(count).toBe(5000)
  })

  it('passes over what Excel and others write for spreadsheets alone', async () => {
    const file = await openBytes('sep=,\nTitre;a,ISBN\nUn;b,"=""9782070360024"""\n')
    expect(file).toMatchObject({
      delimiter: ',',
      columns: [{ name: 'Titre;a' }, { name: 'ISBN', values: ['9782070360024'] }],
    })
    expect(inShort(await rowsOf('sep=;\nTitre;ISBN\nA;="9782070360024"\n'))).toEqual(['3: A | 9782070360024'])
  })

  it('lets others be served while it reads rows that are nothing, or of any length', async () => {
    const file = bytesInMemory(utf8(`Titre;Auteur\n${'\r'.repeat(400_000)}${'A\r'.repeat(200_000)}`))
    let others = 0
    const serve = () => {
      others += 1
      immediate = setImmediate(serve)
    }
    let immediate = setImmediate(serve)
    let rows = 0
    for await (const { cells } of csvRows(file, 'utf-8', ';')) rows += cells.length
    clearImmediate(immediate)
    expect(rows).toBe(200_002)
    // Its pieces of 64 KiB alone would let them in twelve times.
    expect(others).toBeGreaterThan(60)
  })

  it('reads a sign of several bytes wherever it lies', async () => {
    const title = `a${'📚é'.repeat(8000)}`
    const rows: string[][] = []
    for await (const { cells } of csvRows(bytesInMemory(utf8(`Titre;Auteur\n${title};B\n`)), 'utf-8', ';'))
      rows.push(cells)
    expect(rows).toEqual([
      ['Titre', 'Auteur'],
      [title, 'B'],
    ])
  })
})
