import { cell, makeXlsx, makeZip, sheetOf } from '../import-files/make-files.ts'

type Hostile = { name: string; make: () => Uint8Array; says: RegExp }

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
