import fc from 'fast-check'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'

import { namesFields } from '../../src/domain/recognise-columns.ts'
import { withoutMark } from '../../src/server/import-files/formula-mark.ts'
import { charsets, delimiters, ImportFileRefusal } from '../../src/server/import-files/import-file.ts'
import {
  aNotice,
  makeNotice,
  makeOds,
  makeXlsx,
  marcXml,
  openBytes,
  rowsOf,
  sheetOf,
  utf8,
  xmlNotice,
} from './make-files.ts'

/** Reads all, whatever comes of it; anything but a refusal is a fault. */
async function readAll(bytes: Uint8Array, options: Parameters<typeof openBytes>[1] = {}): Promise<void> {
  try {
    for await (const row of (await openBytes(bytes, options)).rows) {
      expect(row.line).toBeGreaterThan(0)
      if (row.type === 'damaged') expect(row.reason).toMatch(/^[A-ZÀ-Ü].*\.$/s)
    }
  } catch (error) {
    if (!(error instanceof ImportFileRefusal)) throw error
    expect(error.message).toMatch(/^[A-ZÀ-Ü].*\.$/s)
  }
}

const options = fc.record(
  { charset: fc.constantFrom(...charsets), delimiter: fc.constantFrom(...delimiters), header: fc.boolean() },
  { requiredKeys: [] },
)

describe('the reading of a file', () => {
  it('ends with rows or a refusal for any bytes', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), options, readAll), { numRuns: 500 })
  })

  it('ends with rows or a refusal for any text of quotation marks, delimiters and line ends', async () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '"',
        ';',
        ',',
        '\t',
        '\n',
        '\r',
        'a',
        'é',
        ' ',
        '\0',
        '\u001d',
        '\u001e',
        '\u001f',
        '<',
        '>',
      ),
      maxLength: 60,
    })
    await fc.assert(
      fc.asyncProperty(text, options, (made, chosen) => readAll(utf8(made), chosen)),
      { numRuns: 500 },
    )
  })

  it('ends with rows or a refusal for any file that was right, with some bytes changed, taken or put in', async () => {
    const whole: Uint8Array[] = [
      utf8('Titre;Auteur;Année\n"Germinal";Zola;1885\nNana;Zola;1880\n'),
      Buffer.concat([aNotice('Germinal', ['3001']), aNotice('Nana'), aNotice('La Terre')]),
      utf8(marcXml(xmlNotice('Germinal') + xmlNotice('Nana'))),
      await writeXlsx({ sheets: [{ name: 'F', rows: [['Titre'], ['Germinal']] }] }),
      makeXlsx(sheetOf('<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row>')),
      makeOds(
        '<table:table-row><table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row>',
      ),
    ]
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      take: fc.nat(20),
      put: fc.uint8Array({ maxLength: 6 }),
    })
    const damaged = fc
      .tuple(fc.constantFrom(...whole), fc.array(change, { minLength: 1, maxLength: 4 }))
      .map(([bytes, changes]) =>
        changes.reduce((kept, { at, take, put }) => {
          const from = Math.floor(at * kept.length)
          return Buffer.concat([kept.subarray(0, from), put, kept.subarray(from + take)])
        }, Buffer.from(bytes)),
      )
    await fc.assert(fc.asyncProperty(damaged, options, readAll), { numRuns: 600 })
  })

  const word = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => text.replaceAll(/\p{C}|\ufffd/gu, '').trim())

  it('reads a CSV as it was written', async () => {
    const table = fc.integer({ min: 1, max: 5 }).chain((width) =>
      fc.array(
        fc.array(fc.oneof(word, fc.constantFrom('a;b', 'a,b', '"', 'deux\nlignes', 'é\tè')), {
          minLength: width,
          maxLength: width,
        }),
        { minLength: 1, maxLength: 8 },
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(...delimiters),
        fc.constantFrom('\n', '\r\n'),
        async (rows, delimiter, end) => {
          const header = rows[0]!.map((_, at) => `c${at}`)
          const text = [header, ...rows]
            .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
            .join(end)
          const said = rows
            // The mark that an export puts before a formula is taken away again.
            .map((cells) => cells.map((cell) => withoutMark(cell.trim())))
            .filter((cells) => cells.some((cell) => cell !== ''))
          fc.pre(said.length > 0)
          // A row of names of fields would be taken for that of the columns.
          fc.pre(!rows.some(namesFields))
          const read = await rowsOf(text, { delimiter, header: true, charset: 'utf-8' })
          expect(read.map((row) => (row.type === 'row' ? row.cells : row))).toEqual(said)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('reads notices as they were written', async () => {
    const part = fc.tuple(fc.constantFrom('a', 'b', '4', 'x'), word)
    const field = fc.record({
      tag: fc.constantFrom('010', '200', '606', '995'),
      indicators: fc.constant('1 '),
      subfields: fc.array(part, { minLength: 1, maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(field, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
        async (notices) => {
          const rows = await rowsOf(Buffer.concat(notices.map((fields) => makeNotice(fields))), {
            charset: 'utf-8',
          })
          expect(
            rows.map((row) =>
              row.type === 'notice'
                ? row.fields.map(({ tag, indicators, subfields }) => ({
                    tag,
                    indicators,
                    subfields: subfields.map(({ code, value }) => [code, value]),
                  }))
                : row,
            ),
          ).toEqual(notices)
        },
      ),
      { numRuns: 300 },
    )
  })
})
