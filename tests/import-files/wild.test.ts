import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import type { ImportSubject } from '../../src/domain/import-fields.ts'
import { recognise } from '../../src/domain/recognise-columns.ts'
import type { NoticeRow } from '../../src/server/import-files/import-file.ts'
import { readValues, readWork } from '../../src/server/imports/work-row.ts'
import { allRows, inShort, openBytes, refusalOf } from './make-files.ts'

// Small files after faults that users of such software report; nobody in them is real.
const read = (name: string) => readFile(new URL(`wild/${name}`, import.meta.url))
const open = async (name: string) => openBytes(await read(name))

describe('files as libraries have them', () => {
  it.each([
    [
      '01-lecteurs-cp850.csv',
      { charset: { name: 'cp850', how: 'bytes' } },
      [
        "2: W8501 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: W8502 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: W8503 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '02-lecteurs-macroman-cr.csv',
      { charset: { name: 'macintosh', how: 'bytes' } },
      [
        "2: WMA01 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: WMA02 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: WMA03 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '03-lecteurs-utf16-tab.txt',
      { charset: { name: 'utf-16le', how: 'mark' }, delimiter: '\t' },
      [
        "2: WUT01 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: WUT02 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: WUT03 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '04-lecteurs-cp1252.csv',
      { charset: { name: 'windows-1252', how: 'bytes' } },
      [
        "2: WAN01 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: WAN02 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: WAN03 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '05-lecteurs-bom-utf8.csv',
      { charset: { name: 'utf-8', how: 'mark' } },
      [
        "2: WBO01 | Lefèvre | Zoé | 12 rue de l'Église | Orléans",
        '3: WBO02 | Garçon | Joël | 3 allée des Chênes | Pézenas',
        '4: WBO03 | Noël | Françoise | 8 quai du Maître | Hérouville',
      ],
    ],
    [
      '06-guillemet-isole.csv',
      { delimiter: ';' },
      [
        '2: WG01 | Doré | Jean | chez "Mimi", 2 rue A',
        '3! La ligne a un guillemet de trop : il s’ouvre au début d’une cellule, et ne se referme que plus bas, au milieu d’un texte.',
        '4: WG03 | Blanc | Zia | 4 rue B',
        '5: WG04 | Vert | Ali | 6 rue C',
      ],
    ],
    [
      '07-adresse-sur-deux-lignes.csv',
      { delimiter: ';' },
      [
        '2: WL01 | Petit | Ana | Bât. B\n12 rue des Lilas | Tours',
        '3: WL02 | Grand | Léo | 5 rue Haute | Blois',
      ],
    ],
    [
      '08-separateur-barre.csv',
      { delimiter: '|' },
      ['2: WP01 | Sable | Inès | Niort', '3: WP02 | Marais | Tom | Saintes'],
    ],
    [
      '15-unimarc-longueurs-en-caracteres.mrc',
      { kind: 'iso2709' },
      ['1! La longueur de la notice est fausse : elle annonce 131 octets, il y en a 140.', '2: Sans accent'],
    ],
    ['20-unimarc-repertoire-desordonne.mrc', { kind: 'iso2709' }, ['1: Ordre']],
    ['21-marcxml-label-court.xml', { kind: 'marcxml' }, ['1: Label court']],
    [
      '31-titre-en-erreur.xlsx',
      { kind: 'xlsx' },
      [
        '2: #NAME? | W31000001',
        '3: VRAI | W31000002',
        '4: 1984 | W31000003',
        '5: 2012-04-01 | W31000004',
        '6: Bon titre | W31000005',
      ],
    ],
    [
      '32-dates-1904.xlsx',
      { kind: 'xlsx' },
      ['2: WX01 | Mac | Ana | 2027-02-01 | 06 12 34 56 78', '3: WX02 | Mac | Bob | 2027-02-01 | 612345678'],
    ],
    [
      '33-dates-1900.xlsx',
      { kind: 'xlsx' },
      [
        '2: WY01 | Pc | Ana | 2027-02-01',
        '3: WY02 | Pc | Bob | 2027-02-01',
        '4: WY03 | Pc | Cid | 46419',
        '5: WY04 | Pc | Dan | 01/02/2027',
      ],
    ],
    [
      '34-entete-multiligne.xlsx',
      { kind: 'xlsx', has_header: true },
      ['4: 17 | Ligne | Ana | 1 rue A\n75001 Paris', '5: 18 | Ligne | Bob | 2 rue B'],
    ],
    [
      '43-fins-de-ligne.csv',
      { delimiter: ';' },
      [
        '2: WT01 | Fin | A | Tours',
        '3: WT02 | Fin | B | ',
        '4: WT03 | Fin | C;D | Blois',
        '5! La ligne a 5 colonnes au lieu de 4 : un séparateur ou un guillemet est sans doute de trop, ou manque.',
      ],
    ],
    [
      '44-virgules.csv',
      { delimiter: ',' },
      ['2: Un, deux, trois | 12,50 | W44000001', '3: Sans guillemets | 9.90 | W44000002'],
    ],
  ])('reads %s as it is', async (name, is, rows) => {
    const file = await open(name)
    expect(file).toMatchObject(is)
    expect(inShort(await allRows(file))).toEqual(rows)
  })

  it('reads 16-unimarc-jeux-melanges.mrc in the charset of most of its notices', async () => {
    const file = await open('16-unimarc-jeux-melanges.mrc')
    expect(file.charset).toMatchObject({ name: 'utf-8', how: 'valid' })
    const rows = await allRows(file)
    expect(rows.filter(({ type }) => type === 'notice')).toHaveLength(8)
    expect(inShort(rows.filter(({ type }) => type === 'damaged'))).toEqual([
      expect.stringContaining('a des signes qui ne sont pas lisibles'),
      expect.stringContaining('a des signes qui ne sont pas lisibles'),
    ])
  })

  it('refuses the notice of 19-unimarc-plus-de-99999-octets.mrc that is too long, and reads the next', async () => {
    const file = await openBytes(gunzipSync(await read('19-unimarc-plus-de-99999-octets.mrc.gz')))
    expect(inShort(await allRows(file))).toEqual([
      '1! La notice compte plus de 99 999 octets : sa fin manque sans doute.',
      '2: Notice suivante',
    ])
  })

  it('says which export to ask PMB for', async () => {
    expect(await refusalOf(open('35-pmb-xml-unimarc.xml'))).toBe(
      'Ce fichier est au format XML propre à PMB : demandez à PMB un export « UNIMARC ISO 2709 », et importez celui-là.',
    )
  })

  it('says that 36-export-pmb.xls is a page, and as what to save it', async () => {
    expect(await refusalOf(open('36-export-pmb.xls'))).toBe(
      'Ce fichier est une page web, et non un tableau : enregistrez-le au format .xlsx ou CSV.',
    )
  })
})

/** What is read of each line of a table, with the fields that its columns are taken for. */
async function linesOf(subject: ImportSubject, name: string) {
  const file = await open(name)
  const mapping = recognise(subject, file.columns).map(({ field }) => field)
  const today = '2026-11-28'
  const lines = (await allRows(file)).flatMap((row) =>
    row.type === 'row' ? [readValues({ ...row, at: 0 }, { subject, mapping, today })] : [],
  )
  return { mapping, lines }
}

describe('what is written in files as libraries have them', () => {
  const refused = (text: string, label: string) =>
    `«\u00a0${text}\u00a0» ne va pas dans «\u00a0${label}\u00a0».`

  it.each<[string, ImportSubject, field: string, label: string, read: unknown[]]>([
    [
      '09-dates.csv',
      'readers',
      'exit_date',
      'Date de sortie',
      [
        ...Array.from({ length: 4 }, () => '2027-02-01'),
        ...['12/31/2027', '31/02/2027'].map((text) => ({ text })),
        ...Array.from({ length: 5 }, () => '2027-02-01'),
        ...['9999-12-31', '31/12/9999', '0000-00-00'].map((text) => ({ text })),
      ],
    ],
    [
      '10-codes-abreges.csv',
      'references',
      'copy.bar_code',
      'Exemplaire\u202f: code-barres',
      [{ text: '3,15555E+13' }, { text: '3.15555E+13' }, '31555500990011'],
    ],
    [
      '10-codes-abreges.csv',
      'references',
      'code',
      'Code (ISBN, EAN)',
      [undefined, { text: '9,78207E+12' }, '9782070360024'],
    ],
    [
      '33-dates-1900.xlsx',
      'readers',
      'exit_date',
      'Date de sortie',
      Array.from({ length: 4 }, () => '2027-02-01'),
    ],
    ['34-entete-multiligne.xlsx', 'readers', 'reader_id', 'N° carte', ['17', '18']],
    ['38-naissances.csv', 'readers', 'birth_year', 'Année de naissance', [1980, 1950, 1954, 1954, 1954]],
    [
      '39-prix.csv',
      'references',
      'price',
      'Prix',
      [
        ...Array.from({ length: 4 }, () => '12.50'),
        ...Array.from({ length: 2 }, () => '1234.50'),
        ...['80 F', '12,- €'].map((text) => ({ text })),
      ],
    ],
    ['44-virgules.csv', 'references', 'price', 'Prix', ['12.50', '9.90']],
  ])('is read from %s, or refused with its words, as %s’ %s', async (name, subject, field, label, read) => {
    const { lines } = await linesOf(subject, name)
    expect(
      lines.map(({ values, whys }) => whys.find((why) => why.field === field)?.reason ?? values[field]),
    ).toEqual(read.map((one) => (isRefused(one) ? refused(one.text, label) : one)))
  })

  it('is read of readers from the columns of 45-koha-lecteurs.csv, named in English', async () => {
    const { mapping, lines } = await linesOf('readers', '45-koha-lecteurs.csv')
    expect(mapping.filter((field) => field === null)).toHaveLength(2)
    expect(lines.map(({ values, whys }) => ({ values, whys }))).toEqual([
      {
        values: {
          matricule: '0000004512',
          lastname: 'Sable',
          firstname: 'Ana',
          birth_year: 1954,
          agency: 'MAIN',
          contract_type: 'ADULTE',
          exit_date: '2026-11-27',
          email: 'ana@example.org',
          phone: '0612345678',
          address: '12, rue A',
          commune: 'Tours',
        },
        whys: [],
      },
      {
        values: {
          matricule: '0000004513',
          lastname: 'Marais',
          firstname: 'Tom',
          birth_year: 1954,
          agency: 'MAIN',
          contract_type: 'ENFANT',
          exit_date: '2999-12-31',
        },
        whys: [],
      },
    ])
  })

  it.each([
    [
      '20-unimarc-repertoire-desordonne.mrc',
      { name: 'Ordre', 'reference_data.subhead': 'et désordre', 'tags.author': 'Z' },
      'W20000001',
    ],
    ['21-marcxml-label-court.xml', { name: 'Label court' }, 'W21000001'],
  ])('is read of a work and its copy from the notice of %s', async (name, work, bar_code) => {
    const [notice] = await allRows(await open(name))
    expect(notice).toMatchObject({ type: 'notice' })
    const row = { ...(notice as NoticeRow), at: 0, original: { text: '' } }
    expect(readWork(row, [], { today: '2026-11-28', frame: '995', lent: {}, isIsbd: true })).toMatchObject({
      work,
      copies: [{ bar_code }],
      whys: [],
    })
  })
})

const isRefused = (one: unknown): one is { text: string } => typeof one === 'object'
