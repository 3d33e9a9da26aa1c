import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { withMark, withoutMark } from '../../src/server/import-files/formula-mark.ts'
import { rowsOf } from './make-files.ts'

const begins = ['=', '+', '-', '@', '\t', '\r', '\uff1d', '\uff0b', '\uff0d', '\uff20']

describe('the mark before a formula', () => {
  it.each(begins)('stands before %j, as in the other exports, and goes again', (begin) => {
    const cell = `${begin}cmd|' /C calc'!A0`
    expect(`${withMark(cell)}\n`).toBe(stringify([[cell]], { escape_formulas: true, quote: '' }))
    expect(withoutMark(withMark(cell))).toBe(cell)
  })

  it('stands before nothing else', () => {
    for (const cell of ['', 'a=b', "l'été", "'", "'tis", ' =1', "''", '1-2']) {
      expect(withMark(cell)).toBe(cell)
      expect(withoutMark(cell)).toBe(cell)
    }
  })

  it('gives back every cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...begins, "'", 'a', ' ') }), (cell) => {
        expect(withoutMark(withMark(cell))).toBe(cell)
        expect(withMark(cell)).not.toMatch(/^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/)
      }),
    )
  })

  it('is not read with a cell of a CSV, nor with a name of its columns', async () => {
    expect(
      await rowsOf("Titre;'=Nom\n'=x;'+1\n''-2;'ah\n\"'@SUM(\"\"a\"\")\";-3\n", { header: true }),
    ).toEqual([
      { type: 'row', line: 2, cells: ['=x', '+1'] },
      { type: 'row', line: 3, cells: ["'-2", "'ah"] },
      { type: 'row', line: 4, cells: ['@SUM("a")', '-3'] },
    ])
  })
})
