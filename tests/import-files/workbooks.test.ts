import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'

import { numberText } from '../../src/server/import-files/cell-text.ts'
import { readTable } from '../../src/server/import-files/table-rows.ts'
import { openXlsx } from '../../src/server/import-files/xlsx-rows.ts'
import {
  cell,
  inShort,
  makeOds,
  makeXlsx,
  makeZip,
  openBytes,
  refusalOf,
  rowsOf,
  sheetOf,
} from './make-files.ts'

const day = new Date('2026-10-06T00:00:00Z')
const livres = {
  name: 'Livres',
  columns: [
    { header: 'Titre' },
    { header: 'ISBN' },
    { header: 'Prix' },
    { header: 'Acheté le', numFmt: 'dd/mm/yyyy' },
    { header: 'Neuf' },
  ],
  rows: [
    ['Titre', 'ISBN', 'Prix', 'Acheté le', 'Neuf'],
    ['Été', 9782070360024, 12.5, day, true],
    [],
    ['A & « B »', '2070360024', 0.1 + 0.2, null, false],
  ],
}
const sheets = [
  livres,
  {
    name: 'Lecteurs',
    rows: [
      ['Nom', 'Prénom'],
      ['Zola', 'Émile'],
    ],
  },
]
const written = {
  // The header of columns would be written again.
  xlsx: () => writeXlsx({ sheets: sheets.map(({ name, rows }) => ({ name, rows })) }),
  ods: () => writeOds({ sheets: sheets.map(({ name, rows }) => ({ name, rows })) }),
}

describe.each(Object.entries(written))('%s', (kind, write) => {
  it('reads the first sheet, days as days and numbers as they are typed', async () => {
    const bytes = await write()
    const file = await openBytes(bytes)
    expect(file).toMatchObject({
      kind,
      sheets: ['Livres', 'Lecteurs'],
      sheet: 'Livres',
      charset: null,
      delimiter: null,
    })
    expect(file.columns.map(({ name }) => name)).toEqual(['Titre', 'ISBN', 'Prix', 'Acheté le', 'Neuf'])
    expect(inShort(await rowsOf(bytes))).toEqual([
      `2: Été | 9782070360024 | 12.5 | 2026-10-06 | ${kind === 'xlsx' ? 'VRAI' : 'TRUE'}`,
      `4: A & « B » | 2070360024 | 0.3 |  | ${kind === 'xlsx' ? 'FAUX' : 'FALSE'}`,
    ])
  })

  it('reads the sheet that is chosen, and refuses one that is not there', async () => {
    const bytes = await write()
    expect(inShort(await rowsOf(bytes, { sheet: 'Lecteurs' }))).toEqual(['2: Zola | Émile'])
    expect(await refusalOf(openBytes(bytes, { sheet: 'Autre' }))).toBe(
      'Ce classeur n’a pas de feuille « Autre ».',
    )
  })
})

it.each([
  ['9782070360024', '9782070360024'],
  ['9.782070360024E12', '9782070360024'],
  ['9.78207036002E+12', '9782070360020'],
  ['12.300000000000001', '12.3'],
  ['12.0', '12'],
  ['-3.25', '-3.25'],
  ['1E-7', '0.0000001'],
  ['12345678901234567890', '12345678901234567890'],
  ['1E+21', '1000000000000000000000'],
])('numberText writes the number %s as %s', (raw, text) => {
  expect(numberText(raw)).toBe(text)
})

const styles =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0000000000"/><numFmt numFmtId="165" formatCode="[$-40C]d\\ mmmm\\ yyyy"/><numFmt numFmtId="166" formatCode="#,##0.00\\ &quot;jours&quot;"/><numFmt numFmtId="167" formatCode="0#&quot; &quot;##&quot; &quot;##&quot; &quot;##&quot; &quot;##"/><numFmt numFmtId="168" formatCode="&quot;B&quot;00000"/><numFmt numFmtId="169" formatCode="0000\\ 0000"/><numFmt numFmtId="170" formatCode="#\\ ##0"/><numFmt numFmtId="171" formatCode="[&lt;=9999999]###\\-####;00\\ 00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="167"/><xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>'

describe('the reading of a workbook', () => {
  it('reads formulas as their stored value, styles of days, zeros before, errors and phonetic signs', async () => {
    const shared =
      '<sst><si><t>Titre</t></si><si><r><t>Ger</t></r><r><t>minal</t></r><rPh><t>x</t></rPh></si><si><t>a_x000A_b</t></si></sst>'
    const sheet = sheetOf(
      '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' +
        '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3"><f>1+1</f><v>2</v></c><c r="C3" t="str"><f>A3</f><v>texte</v></c><c r="D3" s="1"><v>46301</v></c><c r="E3" s="2"><v>612345678</v></c><c r="F3" s="3"><v>46301.6</v></c><c r="G3" s="4"><v>3.5</v></c><c r="H3" s="5"><v>0.75</v></c><c r="I3" t="e"><v>#N/A</v></c><c r="J3" t="s"><v>2</v></c></row>',
    )
    const bytes = makeXlsx(sheet, { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': shared })
    expect(inShort(await rowsOf(bytes))).toEqual([
      '3: Germinal | 2 | texte | 2026-10-06 | 0612345678 | 2026-10-06 | 3.5 | 18:00 | #N/A | a\nb',
    ])
  })

  it('reads no more shared texts than the rows that are taken name', async () => {
    const pieces = 900
    let read = 0
    const files: Record<string, () => Iterable<string>> = {
      'xl/_rels/workbook.xml.rels': () => ['<r><Relationship Id="a" Target="sheet.xml"/></r>'],
      'xl/workbook.xml': () => ['<workbook><sheets><sheet name="F" id="a"/></sheets></workbook>'],
      'xl/sheet.xml': () => [
        sheetOf(
          '<row r="1"><c r="A1" t="s"><v>1</v></c></row><row r="2"><c r="A2" t="s"><v>1999</v></c></row>',
        ),
      ],
      *'xl/sharedStrings.xml'() {
        for (; read < pieces; read += 1) yield '<si><t>x</t></si>'.repeat(1000)
      },
    }
    const workbook = await openXlsx({
      names: new Set(Object.keys(files)),
      async *text(name) {
        yield* files[name]!()
      },
    })
    const rows = workbook.rows('F')
    expect([(await rows.next()).value, read]).toEqual([{ line: 1, cells: ['x'] }, 0])
    expect((await rows.next()).value).toEqual({ line: 2, cells: ['x'] })
    expect(read).toBeLessThan(5)
  })

  it.each([
    [6, '612345678', '06 12 34 56 78'],
    [7, '12', 'B00012'],
    [7, '1234567', 'B1234567'],
    [7, '1.5', '1.5'],
    [8, '12345678', '1234 5678'],
    // Of an amount or a year, the spaces say nothing; what depends on the number is read as it was typed.
    [9, '1234', '1234'],
    [10, '1234', '1234'],
  ])('reads in style %i %s as %s, which the cell shows', async (style, value, shown) => {
    const sheet = sheetOf(`${header}<row r="2"><c r="A2" s="${style}"><v>${value}</v></c></row>`)
    expect(inShort(await rowsOf(makeXlsx(sheet, { 'xl/styles.xml': styles })))).toEqual([`2: ${shown}`])
  })

  it('reads in a sheet of OpenDocument what its cell shows', async () => {
    const number = (value: string, text: string) =>
      `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${text}</text:p></table:table-cell>`
    const rows = `<table:table-row>${cellOds('Titre')}</table:table-row><table:table-row>${number('612345678', '06 12 34 56 78')}${number('1234', '1 234')}${number('12.5', '12,50 €')}${number('12', 'B00012')}</table:table-row>`
    expect(inShort(await rowsOf(makeOds(rows)))).toEqual(['2: 06 12 34 56 78 | 1234 | 12.5 | B00012'])
  })

  it('reads rows and cells that do not say their place', async () => {
    const plain = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const bytes = makeXlsx(
      sheetOf(`<row>${plain('Titre')}${plain('Auteur')}</row><row>${plain('A')}${plain('B')}</row>`),
    )
    expect(inShort(await rowsOf(bytes))).toEqual(['2: A | B'])
  })

  it('reads days of 1904', async () => {
    const workbook =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="F" r:id="r1"/></sheets></workbook>'
    const bytes = makeXlsx(
      sheetOf(`<row r="1">${cell('A1', 'Titre')}</row><row r="2"><c r="A2" s="1"><v>44839</v></c></row>`),
      { 'xl/workbook.xml': workbook, 'xl/styles.xml': styles },
    )
    expect(inShort(await rowsOf(bytes))).toEqual(['2: 2026-10-06'])
  })
})

const header = `<row r="1">${cell('A1', 'Titre')}</row>`
const cellOds = (text: string, more = '') =>
  `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`

describe('what would fill the memory', () => {
  it.each([
    [
      'a value at XFD1048576',
      `<row r="1048576">${cell('XFD1048576', 'x')}</row>`,
      /XFD1048576.*au plus 200 colonnes/,
    ],
    [
      'a value beyond the last row',
      `<row r="1048576">${cell('A1048576', 'x')}</row>`,
      /plus de 1 000 000 lignes/,
    ],
    ['a value beyond the last column', `<row r="2">${cell('GS2', 'x')}</row>`, /en GS2/],
    [
      'a cell of a million signs',
      `<row r="2">${cell('A2', 'x'.repeat(1_000_000))}</row>`,
      /plus de 100000 caractères/,
    ],
  ])('refuses %s', async (_, row, sentence) => {
    expect(await refusalOf(rowsOf(makeXlsx(sheetOf(header + row))))).toMatch(sentence)
  })

  it('passes over an empty cell, wherever it stands', async () => {
    const rows = `<row r="2">${cell('A2', 'Germinal')}<c r="XFD2" s="1"/></row><row r="1048576"><c r="XFD1048576"/></row>`
    expect(inShort(await rowsOf(makeXlsx(sheetOf(header + rows))))).toEqual(['2: Germinal'])
  })

  it('passes over empty rows and columns that an ods repeats, and refuses values that it repeats too often', async () => {
    const rows = (more: string) =>
      `<table:table-row>${cellOds('Titre')}<table:table-cell table:number-columns-repeated="16383"/></table:table-row>${more}<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`
    expect(
      inShort(
        await rowsOf(
          makeOds(rows(`<table:table-row table:number-rows-repeated="2">${cellOds('A')}</table:table-row>`)),
        ),
      ),
    ).toEqual(['2: A', '3: A'])
    expect(
      await refusalOf(
        rowsOf(
          makeOds(
            rows(
              `<table:table-row>${cellOds('A', ' table:number-columns-repeated="16384"')}</table:table-row>`,
            ),
          ),
        ),
      ),
    ).toMatch(/XFD2/)
    const wide = cellOds('A', ' table:number-columns-repeated="200"')
    expect(
      await refusalOf(
        rowsOf(
          makeOds(
            `<table:table-row>${wide}</table:table-row><table:table-row table:number-rows-repeated="900000000">${cellOds('')}</table:table-row><table:table-row>${cellOds('x')}</table:table-row>`,
          ),
        ),
      ),
    ).toMatch(/1 000 000 lignes/)
  })

  it('refuses what inflates too much, whatever its directory says', async () => {
    const zeros = Buffer.alloc(30_000_000, ' ')
    const honest = makeXlsx(Buffer.concat([Buffer.from('<worksheet><sheetData>'), zeros]))
    expect(await refusalOf(rowsOf(honest))).toBe(
      'Ce classeur grossit beaucoup trop une fois décompressé : il n’est pas lu.',
    )
    const lying = makeZip([
      { name: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), method: 0 },
      { name: 'content.xml', bytes: Buffer.concat([Buffer.from('<a>'), zeros]), said: 10 },
    ])
    expect(await refusalOf(rowsOf(lying))).toMatch(/grossit beaucoup trop/)
    const boasting = makeZip([{ name: 'xl/workbook.xml', bytes: Buffer.from('<a/>'), said: 0xfffffff0 }])
    expect(await refusalOf(rowsOf(boasting))).toMatch(/grossit beaucoup trop/)
  })
})

describe('the reading of a workbook', () => {
  it('reads the texts of an ods: lines, spaces, tabs, links, errors as they are shown, and no notes', async () => {
    const rows =
      `<table:table-row>${cellOds('Titre')}${cellOds('Note')}${cellOds('Code')}</table:table-row>` +
      '<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>remarque</text:p></office:annotation><text:p>Le<text:s text:c="2"/>Horla</text:p><text:p><text:a>suite</text:a></text:p></table:table-cell>' +
      '<table:table-cell office:value-type="string" calcext:value-type="error" table:formula="of:=1/0"><text:p>#DIV/0!</text:p></table:table-cell>' +
      '<table:table-cell office:value-type="float" office:value="612345678"><text:p>0612345678</text:p></table:table-cell></table:table-row>'
    expect(inShort(await rowsOf(makeOds(rows)))).toEqual(['2: Le  Horla\nsuite | #DIV/0! | 0612345678'])
  })

  it('refuses a workbook that is cut or locked', async () => {
    expect(await refusalOf(rowsOf(makeXlsx('<worksheet><sheetData><row r="1">')))).toMatch(
      /sa feuille est coupée|abîmé/,
    )
    const locked = makeZip([
      { name: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.spreadsheet') },
      { name: 'META-INF/manifest.xml', bytes: Buffer.from('<manifest:encryption-data/>') },
      { name: 'content.xml', bytes: Buffer.from('garbage') },
    ])
    expect(await refusalOf(rowsOf(locked))).toMatch(/mot de passe/)
  })

  it('begins with the first sheet that is not hidden', async () => {
    const workbook =
      '<workbook><sheets><sheet name="Cachée" state="hidden" r:id="r1"/><sheet name="Livres" r:id="r1"/></sheets></workbook>'
    const file = await openBytes(
      makeXlsx(sheetOf(`${header}<row r="2">${cell('A2', 'a')}</row>`), { 'xl/workbook.xml': workbook }),
    )
    expect(file).toMatchObject({ sheets: ['Livres', 'Cachée'], sheet: 'Livres' })
  })

  it('refuses a sheet whose one value a row stands far to the right, before it fills the disk', async () => {
    const cells = [...Array<string>(199).fill(''), 'x']
    async function* rows() {
      for (let line = 1; line <= 300_000; line += 1) yield { line, cells }
    }
    const table = await readTable({ rows, isCut: false }, false)
    let last = 0
    const all = async () => {
      for await (const { line } of table.rows) last = line
    }
    await expect(all()).rejects.toThrow(/50\u202f000\u202f000 cases vides/)
    expect(last).toBe(251_256)
  })

  it('reads a number whose format no spreadsheet would write as it was typed', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(90_000)}"/></numFmts><cellXfs>${'<xf numFmtId="164"/>'.repeat(10_000)}</cellXfs></styleSheet>`
    const sheet = sheetOf(`${header}<row r="2"><c r="A2" s="9999"><v>612345678</v></c></row>`)
    expect(inShort(await rowsOf(makeXlsx(sheet, { 'xl/styles.xml': styles })))).toEqual(['2: 612345678'])
  })

  it('lets others be served while it makes many rows of a few bytes', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    async function* rows() {
      for (let line = 1; line <= 10_000; line += 1)
        yield { line, cells: ['Germinal', 'Émile Zola', '843 ZOL'] }
    }
    setImmediate(count)
    const table = await readTable({ rows, isCut: false }, false)
    let last = 0
    for await (const { line } of table.rows) last = line
    isDone = true
    expect(last).toBe(10_000)
    expect(turns).toBeGreaterThanOrEqual(2)
  })
})
