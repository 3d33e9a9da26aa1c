import { existsSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { recognise } from '../../src/domain/recognise-columns.ts'
import { unimarcReference } from '../../src/domain/unimarc.ts'
import { unimarcCopies } from '../../src/domain/unimarc-copies.ts'
import { openImportFile } from '../../src/server/import-files/open-import-file.ts'
import { allRows, inShort } from './make-files.ts'

// Not redistributed: real catalogues and notices that lie beside the project where it is made.
const data = '../shared/data'
const open = (name: string) => openImportFile(`${data}/${name}`, { name })

describe.skipIf(!existsSync(data))('files of libraries (skipped where ../shared/data is not there)', () => {
  it.each([
    ['catalogue_toulouse.csv', 8401, 'utf-8', 'references', ['id', 'prets_total', 'prets_par_annee']],
    ['catalogue_goodbooks.csv', 10_000, 'utf-8', 'references', ['book_id', 'nb_notes', 'url_couverture']],
    ['readers_utf8.csv', 400, 'utf-8', 'readers', []],
    ['readers_windows1252.csv', 120, 'windows-1252', 'readers', []],
    ['readers_macroman.csv', 120, 'macintosh', 'readers', []],
    ['loans_open.csv', 93, 'utf-8', 'loans', []],
  ] as const)('reads all of %s', async (name, count, charset, subject, unknown) => {
    const file = await open(name)
    expect(file).toMatchObject({ kind: 'csv', charset: { name: charset } })
    const rows = await allRows(file)
    expect(rows.filter(({ type }) => type === 'row')).toHaveLength(count)
    expect(rows.filter(({ type }) => type === 'damaged')).toEqual([])
    const fields = recognise(subject, file.columns)
    expect(file.columns.filter((_, at) => fields[at]?.field === null).map((column) => column.name)).toEqual(
      unknown,
    )
  })

  it.each([
    ['unimarc_200_notices.mrc', 200, 0, 'utf-8'],
    ['unimarc_995/utf8.mrc', 200, 309, 'utf-8'],
    ['unimarc_995/iso5426.mrc', 120, 188, 'iso-5426'],
    ['unimarc_995/windows1252.mrc', 60, 92, 'windows-1252'],
    ['unimarc_995/twins.mrc', 10, 16, 'utf-8'],
  ] as const)('reads all of %s', async (name, count, copies, charset) => {
    const file = await open(name)
    expect(file).toMatchObject({ kind: 'iso2709', charset: { name: charset } })
    const notices = (await allRows(file)).flatMap((row) => (row.type === 'notice' ? [row] : []))
    expect(notices).toHaveLength(count)
    expect(notices.filter(({ fields }) => unimarcReference(fields).name === '')).toEqual([])
    expect(notices.flatMap(({ fields }) => unimarcCopies(fields))).toHaveLength(copies)
  })

  it('reads the same of a notice in each charset', async () => {
    const files = await Promise.all(
      ['utf8', 'iso5426', 'windows1252'].map((name) => open(`unimarc_995/${name}.mrc`)),
    )
    const [right, ...others] = await Promise.all(files.map(allRows))
    const read = new Map(
      right!.flatMap((row) =>
        row.type === 'notice' ? [[idOf(row.fields), plain(unimarcReference(row.fields))]] : [],
      ),
    )
    for (const rows of others) {
      for (const row of rows) {
        if (row.type === 'notice')
          expect(plain(unimarcReference(row.fields))).toBe(read.get(idOf(row.fields)))
      }
    }
  })

  it('reads what is whole of damaged.mrc, and tells the rest', async () => {
    const rows = await allRows(await open('unimarc_995/damaged.mrc'))
    expect(rows).toHaveLength(30)
    expect(inShort(rows.filter(({ type }) => type === 'damaged'))).toEqual([
      '4! La notice est coupée : elle annonce 1 111 octets, il y en a 556.',
      '8! La longueur de la notice est fausse : elle annonce 99 999 octets, il y en a 1 908.',
      '12! La longueur de la notice est fausse : elle annonce 1 587 octets, il y en a 1 586.',
      '24! La longueur de la notice est fausse : elle annonce 1 134 octets, il y en a 1 136.',
    ])
  })

  it('reads an answer of the BnF as a file of notices', async () => {
    const rows = await allRows(await open('lookup/bnf_sru_unimarcxchange.xml'))
    expect(inShort(rows)).toEqual(["1: L'équipe des mascrottes"])
  })
})

const idOf = (fields: readonly { tag: string; value: string; subfields: readonly { value: string }[] }[]) =>
  fields
    .filter(({ tag }) => ['001', '005', '035', '011'].includes(tag))
    .map(({ value, subfields }) => value + subfields.map((one) => one.value).join())
    .join('|')

/** Without what the smaller charsets have no sign for. */
const plain = (read: unknown) => JSON.stringify(read).replaceAll('?', '')
