import { describe, expect, it } from 'vitest'

import type { ImportSubject } from '../../src/domain/import-fields.ts'
import { looksLikeHeader, namesFields, plainlyOther, recognise } from '../../src/domain/recognise-columns.ts'

const unnamed = (...columns: string[][]) =>
  columns.map((values, at) => ({ name: `Colonne ${at + 1}`, values }))
const named = (...names: string[]) => names.map((name) => ({ name, values: [] }))
const fieldsOf = (subject: ImportSubject, columns: Parameters<typeof recognise>[1]) =>
  recognise(subject, columns).map(({ field }) => field)
/** The field of one column without a name. */
const fieldOf = (subject: ImportSubject, ...values: string[]) => fieldsOf(subject, unnamed(values))[0]

describe('recognise', () => {
  it.each([
    [
      'references',
      ['Titre', 'Auteur(s)', 'ISBN', 'Code-barres', 'Cote', 'Éditeur', 'Année', 'Résumé', 'N° d’inventaire'],
      [
        'name',
        'tags.author',
        'code',
        'copy.bar_code',
        'reference_data.book_number',
        'tags.publisher',
        'tags.year',
        'reference_data.summary',
        null,
      ],
    ],
    [
      'references',
      [
        'Title',
        'Author',
        'EAN',
        'Item barcode',
        'callnumber',
        'Publisher',
        'Publication year',
        'Home branch',
      ],
      [
        'name',
        'tags.author',
        'code',
        'copy.bar_code',
        'reference_data.book_number',
        'tags.publisher',
        'tags.year',
        'copy.site',
      ],
    ],
    [
      'readers',
      ['Matricule', 'NOM', 'Prénom', 'Date de naissance', 'E-mail', 'Tél.', 'Commune', 'Autre'],
      ['matricule', 'lastname', 'firstname', 'birth_year', 'email', 'phone', 'commune', null],
    ],
    [
      'readers',
      ['cardnumber', 'surname', 'firstname', 'dateofbirth', 'email', 'phone', 'city', 'dateexpiry'],
      ['matricule', 'lastname', 'firstname', 'birth_year', 'email', 'phone', 'commune', 'exit_date'],
    ],
    [
      'loans',
      ['Code-barres', 'Matricule', 'Date de prêt', 'Retour prévu'],
      ['bar_code', 'matricule', 'start_date', 'end_date'],
    ],
    [
      'loans',
      ['barcode', 'cardnumber', 'issuedate', 'date_due'],
      ['bar_code', 'matricule', 'start_date', 'end_date'],
    ],
  ] as const)('finds columns of %s by their names', (subject, names, fields) => {
    expect(fieldsOf(subject, named(...names))).toEqual(fields)
  })

  it('gives no field twice: the first column has it, whether by its name or its values', () => {
    const columns = [...named('ISBN', 'EAN', 'Chose'), { name: 'Colonne 4', values: ['9782070360024'] }]
    const none = { field: null, by: null }
    expect(recognise('references', columns)).toEqual([{ field: 'code', by: 'name' }, none, none, none])
    expect(recognise('references', unnamed(['1942'], ['1943']))).toEqual([
      { field: 'tags.year', by: 'values' },
      none,
    ])
  })

  it('gives a field to the column that is named so before one of such values', () => {
    expect(
      recognise('references', [
        { name: 'Colonne 1', values: ['9782070360024'] },
        { name: 'ISBN', values: [] },
      ]),
    ).toEqual([
      { field: null, by: null },
      { field: 'code', by: 'name' },
    ])
  })

  it.each([
    ['references', 'code', ['9782070360024', '2-07-041311-X']],
    ['references', 'code', ['3700187646622']],
    ['references', 'code', [' 3700187646622 ']],
    ['references', null, ['9782070360025']],
    ['references', 'copy.bar_code', ['30033000000104', '30033000000112']],
    ['references', null, ['30033000000105']],
    ['references', null, ['20033000000106']],
    ['references', 'tags.year', ['1942', '2001']],
    ['references', null, ['1842']],
    ['references', null, ['19421']],
    ['references', 'price', ['12,50 €', '8.20']],
    ['references', 'price', ['8,20 eur']],
    ['references', null, ['8', '9']],
    ['references', null, ['8,2']],
    ['references', null, ['123456789,00']],
    ['references', 'copy.buy_date', ['31/12/2026']],
    ['references', null, ['demain']],
    ['references', null, []],
    ['readers', 'email', ['a@b.fr']],
    ['readers', 'birth_year', ['1980', '2015']],
    ['readers', 'birth_year', ['01/02/1980', '31/12/2019']],
    ['readers', 'exit_date', ['01/01/2020', '31/12/2030']],
    [
      'readers',
      'phone',
      ['06 12 34 56 78', '0612345678', '+33612345678', '06.12.34.56.78', '06-12-34-56-78'],
    ],
    ['readers', null, ['00 12 34 56 78']],
    ['readers', null, ['10033000000025']],
    ['readers', null, ['tél. 0612345678']],
    ['readers', null, ['06 12 34 56 7']],
    ['readers', null, ['06 12 34 56 78 9']],
    ['readers', 'reader_id', ['20033000000106']],
    ['readers', null, ['30033000000104']],
    ['readers', null, ['20033000000107']],
    ['readers', null, ['x', 'y']],
    ['loans', 'bar_code', ['30033000000104']],
    ['loans', null, ['20033000000106']],
    ['loans', null, ['30033000000105']],
    ['loans', 'matricule', ['1040', '123456789']],
    ['loans', null, ['1234567890']],
    ['loans', null, ['M1']],
    ['loans', null, ['']],
    // Postcodes, which Excel would read as days; and years of either century.
    ['readers', null, ['17000', '29200']],
    ['readers', null, ['12/05/54', '01/02/27']],
    ['references', 'code', ['978-2-900000-14-4 (br.)', '978-2-900000-15-1 : 12 EUR']],
  ] as const)('of %s, finds %s by the values %j', (subject, field, values) => {
    expect(fieldOf(subject, ...values)).toBe(field)
  })

  it('finds columns without a name by their values', () => {
    const columns = unnamed(
      ['9782070360024', '2-07-041311-X'],
      ['L’Étranger', 'La Peste'],
      ['1942', '1947'],
      ['12,50 €', '8.20'],
      ['30033000000101', '30033000000127'],
    )
    expect(recognise('references', columns)).toEqual([
      { field: 'code', by: 'values' },
      { field: null, by: null },
      { field: 'tags.year', by: 'values' },
      { field: 'price', by: 'values' },
      { field: null, by: null },
    ])
    const readers = unnamed(['a@b.fr'], ['01/02/1980', '1999-12-31'], ['31/12/2030'], ['06 12 34 56 78'])
    expect(fieldsOf('readers', readers)).toEqual(['email', 'birth_year', 'exit_date', 'phone'])
    const loans = unnamed(['26/11/2026', '27/11/2026'], ['06/10/2026', '07/10/2026'], ['1040', '1041'])
    expect(fieldsOf('loans', loans)).toEqual(['end_date', 'start_date', 'matricule'])
  })

  it('asks it of nine values in ten', () => {
    const ten = (right: number) => Array.from({ length: 10 }, (_, at) => (at < right ? '1942' : 'x'))
    expect([10, 9, 8].map((right) => fieldOf('references', ...ten(right)))).toEqual([
      'tags.year',
      'tags.year',
      null,
    ])
  })

  it('finds the days of a loan before and of a return after, in either order', () => {
    const columns = unnamed(
      ['27/11/2026', '26/11/2026', '28/11/2026'],
      ['06/12/2025', '07/10/2026', '08/10/2026'],
      ['01/01/2030'],
    )
    expect(fieldsOf('loans', columns)).toEqual(['end_date', 'start_date', null])
    expect(fieldsOf('loans', columns.slice(0, 2).toReversed())).toEqual(['start_date', 'end_date'])
    expect(fieldOf('loans', '27/11/2026')).toBe('start_date')
  })

  it('compares columns of days by the earliest of each', () => {
    const columns = unnamed(['28/11/2026', '01/01/2026'], ['01/06/2026', '30/06/2026'])
    expect(fieldsOf('loans', columns)).toEqual(['start_date', 'end_date'])
  })

  it('takes no column for days of a loan that has other values too', () => {
    expect(fieldOf('loans', '27/11/2026', 'demain')).toBeNull()
    expect(fieldsOf('loans', unnamed([], ['27/11/2026']))).toEqual([null, 'start_date'])
  })

  it.each([
    ['nb_notes', null],
    ['Colonne 12 bis', null],
    ['La colonne 12', null],
    ['Colonne 12', 'tags.year'],
    ['COLONNE 1', 'tags.year'],
    ['N°', 'tags.year'],
    ['Id', 'tags.year'],
    ['identifiant', 'tags.year'],
    ['Id Notice', null],
    ['Notice Id', null],
  ])('believes the name « %s » before values that several columns may have: %s', (name, field) => {
    expect(fieldsOf('references', [{ name, values: ['1999', '2001'] }])).toEqual([field])
  })

  it('believes values that nothing else has, whatever the name', () => {
    expect(recognise('references', [{ name: 'Gencode', values: ['9782070360024'] }])).toEqual([
      { field: 'code', by: 'values' },
    ])
  })
})

describe('namesFields', () => {
  it.each([
    [['x', 'Titre'], true],
    [['x', 'courriel'], true],
    [['Retour prévu'], true],
    [['x', 'y'], false],
    [[''], false],
    [[], false],
  ])('of %j: %s', (cells, names) => {
    expect(namesFields(cells)).toBe(names)
  })
})

describe('looksLikeHeader', () => {
  it.each([
    [['Titre', '2019', '2020'], true],
    [['Chose', 'Truc'], true],
    [['Chose', '', ' '], true],
    [['Chose', '2de édition'], true],
    [['Chose', 'Tome 2'], true],
    [['L’Étranger', 'Camus', '1942'], false],
    [['Zola', 'zola@exemple.fr'], false],
    [['Zola', '1 234,50'], false],
    [['Zola', '12/03/2020'], false],
    [['Zola', '31 décembre 2026'], false],
    [['Zola', '2-07-041311-X'], false],
  ])('of %j: %s', (cells, looks) => {
    expect(looksLikeHeader(cells)).toBe(looks)
  })
})

describe('plainlyOther', () => {
  const other = (...names: string[]) => plainlyOther('references', named(...names))

  it('knows readers and loans that were taken for a catalogue', () => {
    expect(other('Matricule', 'Nom', 'Prénom')).toBe('readers')
    expect(other('nom', 'prénom', 'solde', 'date fin abonnement')).toBe('readers')
    expect(other('code-barres', 'matricule', 'date de prêt', 'retour prévu')).toBe('loans')
  })

  it.each([
    ['a catalogue', ['Titre', 'Auteur', 'ISBN', 'Code-barres', 'Site']],
    ['games under names that readers have as well', ['Nom', 'Catégorie', 'Code-barres', 'Site', 'Note']],
    ['a few names among many that nothing knows', ['Nom', 'Prénom', 'Mail', 'x1', 'x2', 'x3', 'x4']],
    ['readers without a name', ['Matricule', 'Prénom', 'Courriel']],
    ['columns without names', ['Colonne 1', 'Colonne 2']],
  ])('leaves %s as it is', (_, names) => {
    expect(other(...names)).toBeNull()
  })
})
