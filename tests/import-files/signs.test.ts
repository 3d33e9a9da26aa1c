import { describe, expect, it } from 'vitest'

import { cell, inShort, makeOds, makeXlsx, openBytes, rowsOf, sheetOf } from './make-files.ts'

const wellFormed = (value: unknown) => {
  const text = JSON.stringify(value)
  // What JSON escapes is what a database refuses in it.
  expect(text).not.toMatch(/\\ud[89a-f]|\\u0000/i)
}

describe('what is told of a file has whole signs alone', () => {
  it('cuts the name of a column between two signs', async () => {
    const { columns } = await openBytes(`${'a'.repeat(99)}😀b;Titre\nx;y\n`)
    wellFormed(columns)
    expect(columns[0]?.name).toBe(`${'a'.repeat(99)}😀`)
  })

  it('cuts that name in a sentence between two signs', async () => {
    const rows = await rowsOf(`${'a'.repeat(39)}😀bc;Titre\n\0;y\n`)
    wellFormed(rows.map((row) => row.type === 'damaged' && row.reason))
    expect(inShort(rows)[0]).toContain(`« ${'a'.repeat(39)}😀… »`)
  })

  it('takes no NUL for a name nor for a value', async () => {
    const { columns } = await openBytes(`Ti\0tre;Auteur\nA\0;${'B'.repeat(200)}\n`, { header: true })
    expect(columns).toMatchObject([{ name: 'Ti\ufffdtre', values: ['A\ufffd'] }, { name: 'Auteur' }])
  })

  it('cuts a line of UTF-16 between two signs', async () => {
    const { charset } = await openBytes(Buffer.from(`\ufeffé${'a'.repeat(118)}😀b;Titre\nx;y\n`, 'utf16le'))
    wellFormed(charset)
    expect(charset?.samples['utf-16le']).toEqual([`é${'a'.repeat(118)}😀`])
  })

  it.each(['D800', 'DC00', '0000'])('takes _x%s_ of a workbook for no sign', async (code) => {
    const bytes = makeXlsx(
      sheetOf(
        `<row r="1">${cell('A1', `A_x${code}_`)}${cell('B1', 'Titre')}</row><row r="2">${cell('A2', `x_x${code}_y`)}${cell('B2', 'b')}</row><row r="3">${cell('A3', '_xD83D__xDE00_')}${cell('B3', 'c')}</row>`,
      ),
    )
    const file = await openBytes(bytes, { header: true })
    wellFormed(file.columns)
    expect(file.columns[0]).toMatchObject({ name: 'A\ufffd', values: ['x\ufffdy', '😀'] })
    expect(inShort(await rowsOf(bytes, { header: true }))).toEqual([
      '2! La colonne « A\ufffd » a des signes illisibles dans ce jeu de caractères.',
      '3: 😀 | c',
    ])
  })

  it('takes no NUL for the name of a sheet', async () => {
    const xlsx = makeXlsx(sheetOf(`<row>${cell('A1', 'Titre')}</row><row>${cell('A2', 'x')}</row>`), {
      'xl/workbook.xml': '<workbook><sheets><sheet name="F\0" sheetId="1" r:id="r1"/></sheets></workbook>',
    })
    expect(await openBytes(xlsx)).toMatchObject({ sheets: ['F\ufffd'], sheet: 'F\ufffd' })
    const ods = makeOds(
      '</table:table><table:table table:name="F\0"><table:table-row><table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>',
    )
    expect(await openBytes(ods, { sheet: 'F\ufffd', header: false })).toMatchObject({
      sheets: ['Feuille1', 'F\ufffd'],
    })
  })
})
