import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'

import {
  aNotice,
  makeXlsx,
  makeZip,
  marcXml,
  openBytes,
  refusalOf,
  sheetOf,
  utf8,
  xmlNotice,
} from './make-files.ts'

const rows = [
  ['Titre', 'Auteur'],
  ['Germinal', 'Zola'],
]
const sheets = [{ name: 'Livres', rows }]

describe('the reading of a file', () => {
  it('judges what a file is by its bytes, whatever its name', async () => {
    const made: [kind: string, bytes: Uint8Array][] = [
      ['csv', utf8('Titre;Auteur\nGerminal;Zola\n')],
      ['xlsx', await writeXlsx({ sheets })],
      ['ods', await writeOds({ sheets })],
      ['iso2709', aNotice('Germinal')],
      ['marcxml', utf8(marcXml(xmlNotice('Germinal')))],
    ]
    for (const [kind, bytes] of made) {
      expect(await openBytes(bytes, { name: 'photo.png' })).toMatchObject({
        kind,
        name: 'photo.png',
        size: bytes.length,
      })
    }
  })

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it.each<[what: string, bytes: Uint8Array, sentence: RegExp]>([
    ['an empty file', Buffer.alloc(0), /^Le fichier est vide\.$/],
    ['a picture named .xlsx', png, /^Ce fichier est une image\.$/],
    ['a photograph', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), /^Ce fichier est une image\.$/],
    ['a PDF', utf8('%PDF-1.7\n%âãÏÓ'), /^Ce fichier est un PDF/],
    [
      'an old workbook',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
      /ancien classeur \(\.xls\).*mot de passe/,
    ],
    [
      'a zip that is no workbook',
      makeZip([{ name: 'notes.txt', bytes: utf8('a') }]),
      /^Ce fichier est une archive \(zip\)/,
    ],
    ['an empty zip', makeZip([]), /^Ce fichier est une archive \(zip\)/],
    [
      'a letter',
      makeZip([
        { name: '[Content_Types].xml', bytes: utf8('<Types/>') },
        { name: 'word/document.xml', bytes: utf8('<w/>') },
      ]),
      /pas un classeur/,
    ],
    [
      'a text of OpenDocument',
      makeZip([
        { name: 'mimetype', bytes: utf8('application/vnd.oasis.opendocument.text') },
        { name: 'content.xml', bytes: utf8('<o/>') },
      ]),
      /mais pas un classeur/,
    ],
    ['a binary workbook', makeZip([{ name: 'xl/workbook.bin', bytes: utf8('a') }]), /\.xlsb/],
    ['a cut zip', makeXlsx(sheetOf('')).subarray(0, 200), /abîmé/],
    ['a gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), /archive \(gzip\)/],
    ['a page', utf8('<!DOCTYPE html><html><table></table></html>'), /page web/],
    ['JSON', utf8('{"titre": "Germinal"}'), /JSON/],
    [
      'a program',
      Buffer.from(Array.from({ length: 400 }, (_, at) => at % 9)),
      /ni un tableau ni des notices/,
    ],
    [
      'XML of something else',
      utf8('<?xml version="1.0"?><books><book>a</book></books>'),
      /ne contient pas de notices/,
    ],
    [
      'XML with entities of its own',
      utf8('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><record/>'),
      /DOCTYPE/,
    ],
    ['a leader without a notice', utf8('00100nam  2200037   450 '), /^Aucune notice n’est lisible/],
  ])('refuses %s in a sentence', async (_, bytes, sentence) => {
    expect(await refusalOf(openBytes(bytes))).toMatch(sentence)
  })
})
