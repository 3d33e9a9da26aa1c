import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, it } from 'vitest'

import { cell, makeXlsx, sheetOf } from '../import-files/make-files.ts'
import { liveRows } from '../support/live-rows.ts'
import { type Client, describeServer } from '../support/test-server.ts'
import { hostileFiles } from './hostile-files.ts'
import { importing } from './importing.ts'

describeServer('files that would do harm', (server) => {
  let admin: Client
  let files: ReturnType<typeof importing>
  beforeAll(async () => {
    admin = await server.as('admin')
    files = importing(server, admin)
  })

  it.each(Object.entries(hostileFiles))(
    'refuses %s in a sentence, and is as it was',
    async (_, { name, make, says }) => {
      const before = await liveRows(server.db)
      const file = new File([make() as BlobPart], name, { type: 'application/octet-stream' })
      for (const path of ['/api/imports?subject=references', '/api/references/upload?dry_run=1']) {
        const form = new FormData()
        form.set('file', file)
        const headers = { host: 'localhost', authorization: `Bearer ${admin.token}` }
        const response = await server.app.request(path, { method: 'POST', headers, body: form })
        expect(response.status).toBe(422)
        const [violation] = ((await response.json()) as { violations: object[] }).violations
        expect(violation).toEqual({ propertyPath: 'file', message: expect.stringMatching(says) })
      }
      expect(await liveRows(server.db)).toEqual(before)
      const places = await readdir(join(server.environment.files, 'imports')).catch(() => [])
      expect(places).toEqual([])
    },
  )

  it('refuses the row of half a sign alone', async () => {
    const others = Array.from({ length: 40 }, (_, at) => `Un été à Nîmes, tome ${at}\n`)
    const half = Buffer.concat([
      Buffer.from('Titre\nZa'),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from(`zie\n${others.join('')}`),
    ])
    const { counts, id } = await files.whole('moitie.csv', half, { site: 1 })
    expect([counts.added, counts.refused]).toEqual([40, 1])
    expect(await files.refusals(id)).toMatchObject([{ line: 2 }])
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
