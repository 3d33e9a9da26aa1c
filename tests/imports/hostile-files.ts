import { cell, makeOds, makeXlsx, makeZip, sheetOf } from '../import-files/make-files.ts'

type Hostile = { name: string; make: () => Uint8Array; says: RegExp }

const titleCell = '<table:table-cell office:value-type="string"><text:p>Titre</text:p></table:table-cell>'

/** A notice of so many fields, all of which lie at the same place. */
function sameBytes(fields: number, length: number): Buffer {
  const digits = (number: number, width: number) => String(number).padStart(width, '0')
  const directory = `300${digits(length, 5)}00000`.repeat(fields)
  const base = 24 + directory.length + 1
  const field = `  ${'\u001fa'.repeat((length - 3) / 2)}`
  const content = `${field.padEnd(length - 1, 'x')}\u001e`
  const leader = `${digits(base + length + 1, 5)}nam  22${digits(base, 5)}   550 `
  return Buffer.from(`${leader}${directory}\u001e${content}\u001d`)
}

/** Files that would fill a memory, or are not what they say, each with what is told of it. */
export const hostileFiles = {
  'a workbook that inflates a thousand times': {
    name: 'bombe.xlsx',
    make: () =>
      makeXlsx(Buffer.concat([Buffer.from('<worksheet><sheetData>'), Buffer.alloc(30_000_000, ' ')])),
    says: /grossit beaucoup trop/,
  },
  'a workbook whose directory lies of its size': {
    name: 'menteur.ods',
    make: () =>
      makeZip([
        { name: 'mimetype', bytes: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), method: 0 },
        {
          name: 'content.xml',
          bytes: Buffer.concat([Buffer.from('<a>'), Buffer.alloc(30_000_000, ' ')]),
          said: 10,
        },
      ]),
    says: /grossit beaucoup trop/,
  },
  'a row that a sheet of OpenDocument repeats 900,000 times': {
    name: 'repete.ods',
    make: () =>
      makeOds(
        `<table:table-row>${titleCell}</table:table-row><table:table-row table:number-rows-repeated="900000">${titleCell}</table:table-row>`,
      ),
    says: /répète plus de 500\u202f000 cases/,
  },
  'a sheet of OpenDocument among a thousand others': {
    name: 'feuilles.ods',
    make: () =>
      makeOds(
        `<table:table-row>${titleCell}</table:table-row>${'<table:table table:name="x"/>'.repeat(1001)}`,
      ),
    says: /plus de 1\u202f000 feuilles/,
  },
  'a text of 200,000 signs that every cell names': {
    name: 'texte.xlsx',
    make: () =>
      makeXlsx(sheetOf('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'), {
        'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(200_000)}</t></si></sst>`,
      }),
    says: /plus de 100000 caractères/,
  },
  'a row of 70,000 cells that each end a line': {
    name: 'lignes.csv',
    make: () =>
      Buffer.from(`Titre;Auteur\n${Array(70_000).fill('"QQ\n00001"').join(';')}\n`.replaceAll('QQ', '""')),
    says: /a plus de 200 colonnes/,
  },
  'notices whose fields are all the same bytes': {
    name: 'zones.mrc',
    make: () => sameBytes(3000, 40_000),
    says: /Le répertoire de la notice est abîmé/,
  },
  'a cell in the last corner of a sheet': {
    name: 'coin.xlsx',
    make: () =>
      makeXlsx(
        sheetOf(`<row r="1">${cell('A1', 'Titre')}</row><row r="1048576">${cell('XFD1048576', 'x')}</row>`),
      ),
    says: /XFD1048576/,
  },
  'a picture named .xlsx': {
    name: 'photo.xlsx',
    make: () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    says: /^Ce fichier est une image\.$/,
  },
  'a line of ten million signs': {
    name: 'ligne.csv',
    make: () => Buffer.from(`Titre;Auteur\n${'x'.repeat(10_000_000)}\n`),
    says: /1\u202f000\u202f000/,
  },
  'millions of empty rows': {
    name: 'vide.csv',
    make: () => Buffer.from(`Titre;Auteur\n${'\r'.repeat(3_000_000)}`),
    says: /Le fichier compte plus de 1\u202f000\u202f000 lignes/,
  },
} as const satisfies Record<string, Hostile>
