import { beforeAll, expect, it } from 'vitest'

import { cell, makeXlsx, sheetOf } from '../import-files/make-files.ts'
import { describeServer } from '../support/test-server.ts'
import { importing } from './importing.ts'

describeServer('files that would do harm', (server) => {
  let files: ReturnType<typeof importing>
  beforeAll(async () => {
    files = importing(server, await server.as('admin'))
  })

  it.each([
    ['a name whose hundredth sign takes two places', `${'a'.repeat(99)}😀;Titre\nx;y\n`],
    ['half a sign in a cell', sheet('Auteur', 'x_xD800_y')],
    ['half a sign in the name of a column', sheet('A_xD800_', 'x')],
    ['a NUL in both', sheet('A_x0000_', 'x_x0000_')],
  ])('reads and tries a file that has %s', async (_, source) => {
    const { status, body } = await files.send('fichier', source)
    expect(body).toMatchObject({ status: 'read', rows: 1 })
    expect(status).toBe(201)
    await files.change(body.id, { choices: { site: 1 } })
    expect(await files.check(body.id)).toMatchObject({ status: 'checked' })
  })

  it('gives refused rows back without a formula that runs, and reads them as they were', async () => {
    const rows = [
      ['', '+1', '-2'],
      ['', "'=x", '="0123"'],
      ['', '=a', '@b', 'c'],
    ]
    const text = `Titre;Auteur;'=Nom\n${rows
      .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
      .join('\n')}\n`
    const first = await files.whole('livres.csv', text, { site: 1 })
    expect(first.counts.refused).toBe(3)
    const given = await files.refusedRows(first.id)
    expect(given).toBe("\ufeffTitre;Auteur;'=Nom\n;'+1;'-2\n;'=x;0123\n;'=a;'@b;c\n")
    const again = await files.whole('corriges.csv', given, { site: 1 })
    expect(again.opened.columns.map(({ name }) => name)).toEqual(['Titre', 'Auteur', '=Nom'])
    expect(await files.refusedRows(again.id)).toBe(given)
  })
})

function sheet(name: string, value: string) {
  return makeXlsx(
    sheetOf(
      `<row r="1">${cell('A1', name)}${cell('B1', 'Titre')}</row><row r="2">${cell('A2', value)}${cell('B2', 'y')}</row>`,
    ),
  )
}
