import { describe, expect, it } from 'vitest'

import {
  aNotice,
  inShort,
  makeNotice,
  marcXml,
  openBytes,
  refusalOf,
  rowsOf,
  utf8,
  xmlNotice,
} from './make-files.ts'

const whole = aNotice('Germinal', ['3001'])
const after = aNotice('Nana')
const both = (...damaged: Uint8Array[]) => Buffer.concat([whole, ...damaged, after])
const changed = (from: number, text: string) => {
  const bytes = Buffer.from(aNotice('La Terre'))
  bytes.write(text, from, 'latin1')
  return bytes
}
const at = (bytes: Buffer) => Number(bytes.toString('latin1', 12, 17))
const terre = aNotice('La Terre')

describe('ISO 2709', () => {
  it('reads whole notices with their fields, and keeps each as it was', async () => {
    const [row] = await rowsOf(whole)
    expect(row).toEqual({
      type: 'notice',
      line: 1,
      leader: whole.toString('latin1', 0, 24),
      fields: [
        { tag: '001', indicators: '', value: 'N1', subfields: [] },
        { tag: '200', indicators: '1 ', value: '', subfields: [{ code: 'a', value: 'Germinal' }] },
        { tag: '995', indicators: '  ', value: '', subfields: [{ code: 'f', value: '3001' }] },
      ],
      original: new Uint8Array(whole),
    })
    expect(await openBytes(whole)).toMatchObject({ kind: 'iso2709', columns: [], has_header: false })
  })

  it.each<[what: string, damaged: Uint8Array[], rows: string[]]>([
    ['line ends between notices', [utf8('\r\n \n')], []],
    [
      'a cut notice',
      [Buffer.concat([terre.subarray(0, 56), Buffer.from([0x1d])])],
      ['2! La notice est coupée : elle annonce 66 octets, il y en a 57.'],
    ],
    [
      'a wrong length',
      [changed(0, '99999')],
      ['2! La longueur de la notice est fausse : elle annonce 99 999 octets, il y en a 66.'],
    ],
    [
      'bytes behind its last field',
      [Buffer.concat([terre.subarray(0, -1), Buffer.from([0xff, 0x1d])])],
      ['2! La longueur de la notice est fausse : elle annonce 66 octets, il y en a 67.'],
    ],
    ['a leader that is none', [changed(0, 'abcde')], ['2! La notice n’a pas d’en-tête lisible.']],
    [
      'a directory of letters',
      [changed(30, 'zz')],
      ['2! Le répertoire de la notice est abîmé : ses zones ne peuvent pas être retrouvées.'],
    ],
    [
      'a field that is not where it is said',
      [changed(31, '00099')],
      ['2! Le répertoire de la notice est abîmé : ses zones ne peuvent pas être retrouvées.'],
    ],
    [
      'a directory without its end',
      [changed(at(terre) - 1, 'x')],
      ['2! Le répertoire de la notice est abîmé : ses zones ne peuvent pas être retrouvées.'],
    ],
    [
      'a notice without its end sign',
      [terre.subarray(0, -1)],
      ['2! La notice est coupée : elle annonce 66 octets, il y en a 65.'],
    ],
    ['an unknown tag', [changed(24, 'XXX')], ['2: La Terre']],
    [
      'noise',
      [Buffer.concat([utf8('n’importe quoi'), Buffer.from([0x1d])])],
      ['2! La notice n’a pas d’en-tête lisible.'],
    ],
  ])('reads the next notice after %s', async (_, damaged, rows) => {
    expect(inShort(await rowsOf(both(...damaged)))).toEqual([
      '1: Germinal',
      ...rows,
      `${rows.length + 2}: Nana`,
    ])
  })

  it('tells a notice of no end, bounds what it keeps of it, and reads the next', async () => {
    const endless = Buffer.concat([terre.subarray(0, 56), Buffer.alloc(400_000, 'x'), Buffer.from([0x1d])])
    const rows = await rowsOf(both(endless))
    expect(inShort(rows)).toEqual([
      '1: Germinal',
      '2! La notice compte plus de 99 999 octets : sa fin manque sans doute.',
      '3: Nana',
    ])
    expect((rows[1] as { original: Uint8Array }).original).toHaveLength(99_999)
  })

  it('tells a file whose end is cut', async () => {
    expect(inShort(await rowsOf(Buffer.concat([whole, after.subarray(0, 50)])))).toEqual([
      '1: Germinal',
      '2! La notice est coupée : elle annonce 62 octets, il y en a 50.',
    ])
  })

  it('refuses a notice whose signs are none in the charset of the file', async () => {
    const wrong = makeNotice([{ tag: '200', subfields: [['a', 'ZZ']] }])
    wrong.write('\u00ff\u00fe', wrong.indexOf('ZZ'), 'latin1')
    const title = aNotice('Été déjà '.repeat(20))
    expect(inShort(await rowsOf(Buffer.concat([title, wrong])))[1]).toBe(
      '2! La zone 200 a des signes qui ne sont pas lisibles dans ce jeu de caractères.',
    )
  })

  it('takes away the marks of what sorting leaves out', async () => {
    expect(inShort(await rowsOf(aNotice('\u0098Le \u009cHorla')))).toEqual(['1: Le Horla'])
  })
})

describe('XML', () => {
  it('reads MARCXML and marcxchange, with any prefix and within whatever stands around', async () => {
    const [row] = await rowsOf(marcXml(xmlNotice('L&apos;&#xC9;tranger &amp; moi')))
    expect(row).toEqual({
      type: 'notice',
      line: 1,
      leader: '     nam  22        450 ',
      fields: [
        { tag: '001', indicators: '', value: 'X1', subfields: [] },
        { tag: '200', indicators: '1 ', value: '', subfields: [{ code: 'a', value: "L'Étranger & moi" }] },
      ],
      original: xmlNotice('L&apos;&#xC9;tranger &amp; moi'),
    })
    const sru = `<srw:records><srw:record><srw:recordData>${xmlNotice('Nana').replaceAll(/<(\/?)/g, '<$1mxc:')}</srw:recordData></srw:record></srw:records>`
    expect(inShort(await rowsOf(marcXml(sru)))).toEqual(['1: Nana'])
  })

  it.each([
    [
      'an element that is not closed',
      xmlNotice('La Terre').replace('</subfield>', ''),
      'La notice est mal formée : ses éléments ne se referment pas dans l’ordre.',
    ],
    [
      'a notice that is not closed',
      xmlNotice('La Terre').replace('</record>', ''),
      'La notice n’est pas refermée.',
    ],
    [
      'a sign that begins no element',
      xmlNotice('a < b'),
      'La notice est mal formée : elle a un « < » de trop.',
    ],
    [
      'a field without a number',
      xmlNotice('a').replace('tag="200"', ''),
      'La notice a une zone sans numéro.',
    ],
    ['a notice of a leader alone', '<record><leader>x</leader></record>', 'La notice n’a aucune zone.'],
    [
      'a sign that is none',
      xmlNotice('&#xD800;'),
      'La zone 200 a des signes qui ne sont pas lisibles dans ce jeu de caractères.',
    ],
    [
      'a notice of a million signs',
      xmlNotice('x'.repeat(1_000_001)),
      'La notice compte plus de 1 000 000 caractères.',
    ],
  ])('reads the next notice after %s', async (_, damaged, reason) => {
    const rows = await rowsOf(marcXml(xmlNotice('Germinal') + damaged + xmlNotice('Nana')))
    expect(inShort(rows)).toEqual(['1: Germinal', `2! ${reason}`, '3: Nana'])
  })

  it('tells a file whose end is cut', async () => {
    expect(inShort(await rowsOf(marcXml(`${xmlNotice('Germinal')}<record><leader>x</leader>`)))[1]).toBe(
      '2! La notice est coupée par la fin du fichier.',
    )
  })

  it('passes over comments and instructions, and reads texts as they stand', async () => {
    expect(
      inShort(await rowsOf(marcXml(`<!-- <record> --><?a <record>?>${xmlNotice('<![CDATA[A & <b>]]>')}`))),
    ).toEqual(['1: A & <b>'])
  })

  it('refuses entities of the document’s own', async () => {
    const laughs = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>'
    expect(
      await refusalOf(
        rowsOf(`<?xml version="1.0"?>${laughs}<collection>${xmlNotice('&lol2;')}</collection>`),
      ),
    ).toMatch(/DOCTYPE/)
  })
})

it('an import refuses notices of MARC 21, which have their titles elsewhere', async () => {
  const notice = makeNotice([{ tag: '245', subfields: [['a', 'Germinal']] }])
  expect(await refusalOf(openBytes(notice))).toMatch(/^Ces notices sont en MARC 21, et non en UNIMARC/)
  expect(inShort(await rowsOf(Buffer.concat([notice, whole])))).toEqual(['1: ', '2: Germinal'])
})
