import { describe, expect, it } from 'vitest'

import { csvRows } from '../../src/server/import-files/csv-rows.ts'
import type { FileBytes } from '../../src/server/import-files/file-bytes.ts'
import { iso2709Rows } from '../../src/server/import-files/iso-2709.ts'
import { judgeCharset } from '../../src/server/import-files/judge-charset.ts'
import { marcXmlRows } from '../../src/server/import-files/marc-xml.ts'
import { aNotice, marcXml, utf8, xmlNotice } from './make-files.ts'

/** The same file in pieces of so many bytes. */
const inPieces = (bytes: Uint8Array, length: number): FileBytes => ({
  size: bytes.length,
  at: (offset, count) => Promise.resolve(bytes.subarray(offset, offset + count)),
  async *pieces(from = 0, to = bytes.length) {
    for (let at = from; at < to; at += length) yield bytes.subarray(at, Math.min(at + length, to))
  },
})

const csv = utf8('Titre;Résumé\r\n"Été à ""Nîmes""";"deux\r\nlignes"\r\n\r\nNoël;😀\r\n')
const notices = Buffer.concat([
  aNotice('Été à Nîmes', ['3001']),
  utf8('\r\n'),
  aNotice('Nana').subarray(0, 40),
  Buffer.from([0x1d]),
  aNotice('La Terre'),
])
// « Été » in ISO 5426: an accent may end a piece.
const old = aNotice('\u00c2Et\u00c2e', [], (text) => Buffer.from(text, 'latin1'))
const xml = utf8(
  marcXml(
    `<!-- a > b -->${xmlNotice('&#xC9;t&eacute; &amp; <![CDATA[<b>]]> 😀')}<?x y?>${xmlNotice('a < b')}${xmlNotice('Nana')}`,
  ),
)

const readings: [what: string, bytes: Uint8Array, read: (file: FileBytes) => AsyncIterable<unknown>][] = [
  ['CSV', csv, (file) => csvRows(file, 'utf-8', ';')],
  ['ISO 2709', notices, (file) => iso2709Rows(file, 'utf-8')],
  ['ISO 2709 in ISO 5426', old, (file) => iso2709Rows(file, 'iso-5426')],
  ['XML', xml, (file) => marcXmlRows(file, 'utf-8')],
]

describe('whatever reads a file', () => {
  it.each(readings)('reads the same of %s wherever its pieces end', async (_, bytes, read) => {
    const whole = await gathered(read(inPieces(bytes, bytes.length)))
    expect(whole.length).toBeGreaterThan(0)
    for (const length of [1, 2, 3, 7, 64]) {
      expect(await gathered(read(inPieces(bytes, length)))).toEqual(whole)
    }
  })

  it.each(readings.filter(([what]) => !what.includes('5426')))(
    'judges the same charset of %s and shows the same lines wherever the pieces end',
    async (_, bytes) => {
      const judged = (length: number) =>
        judgeCharset(inPieces(bytes, length), { chosen: undefined, mark: null })
      const whole = await judged(bytes.length)
      for (const length of [1, 2, 3, 7]) expect(await judged(length)).toEqual(whole)
    },
  )
})

async function gathered(rows: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const row of rows) all.push(row)
  return all
}
