import { describe, expect, it } from 'vitest'

import { importFieldsOf, importSubjects } from '../../src/domain/import-fields.ts'
import { comparableName, fieldOfName } from '../../src/domain/import-headers.ts'
import * as read from '../../src/domain/import-values.ts'
import { looksLikeHeader, recognise } from '../../src/domain/recognise-columns.ts'

const named = (...names: string[]) => names.map((name) => ({ name, values: [] }))
const fieldsOf = (subject: (typeof importSubjects)[number], columns: Parameters<typeof recognise>[1]) =>
  recognise(subject, columns).map(({ field }) => field)

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

  it('gives no field twice: the first column has it', () => {
    expect(recognise('references', named('ISBN', 'EAN'))).toEqual([
      { field: 'code', by: 'name' },
      { field: null, by: null },
    ])
  })

  it('finds columns without a name by their values', () => {
    const columns = [
      ['9782070360024', '2-07-041311-X'],
      ['L’Étranger', 'La Peste'],
      ['1942', '1947'],
      ['12,50 €', '8.20'],
      ['30033000000101', '30033000000127'],
    ].map((values, at) => ({ name: `Colonne ${at + 1}`, values }))
    expect(recognise('references', columns)).toEqual([
      { field: 'code', by: 'values' },
      { field: null, by: null },
      { field: 'tags.year', by: 'values' },
      { field: 'price', by: 'values' },
      { field: null, by: null },
    ])
    const readers = [['a@b.fr'], ['01/02/1980', '1999-12-31'], ['31/12/2030'], ['06 12 34 56 78']].map(
      (values, at) => ({ name: `Colonne ${at + 1}`, values }),
    )
    expect(fieldsOf('readers', readers)).toEqual(['email', 'birth_year', 'exit_date', 'phone'])
    const loans = [
      ['26/11/2026', '27/11/2026'],
      ['06/10/2026', '07/10/2026'],
      ['1040', '1041'],
    ].map((values, at) => ({ name: `Colonne ${at + 1}`, values }))
    expect(fieldsOf('loans', loans)).toEqual(['end_date', 'start_date', 'matricule'])
  })

  it('believes a name before values that several columns may have', () => {
    expect(fieldsOf('references', [{ name: 'nb_notes', values: ['1999', '2001'] }])).toEqual([null])
    expect(fieldsOf('references', [{ name: 'Gencode', values: ['9782070360024'] }])).toEqual(['code'])
  })

  it('tells a header from a row', () => {
    expect(looksLikeHeader(['Titre', '2019', '2020'])).toBe(true)
    expect(looksLikeHeader(['Chose', 'Truc'])).toBe(true)
    expect(looksLikeHeader(['L’Étranger', 'Camus', '1942'])).toBe(false)
    expect(looksLikeHeader(['Zola', 'zola@exemple.fr'])).toBe(false)
  })

  it('has each field once, with names of columns that no other field of its kind has', () => {
    for (const subject of importSubjects) {
      const names = importFieldsOf[subject].map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const { name, label } of importFieldsOf[subject]) {
        expect(fieldOfName(subject, label)).toBe(name)
        expect(comparableName(label)).not.toBe('')
      }
    }
  })
})

describe('values', () => {
  it.each([
    ['31/12/2026', '2026-12-31'],
    ['1/2/2026', '2026-02-01'],
    ['2026-12-31', '2026-12-31'],
    ['2026-12-31T10:00:00Z', '2026-12-31'],
    ['31/12/2026 10:15', '2026-12-31'],
    ['20261231', '2026-12-31'],
    ['31.12.2026', '2026-12-31'],
    ['jeudi 31 décembre 2026', '2026-12-31'],
    ['1er août 2026', '2026-08-01'],
    ['46387', '2026-12-31'],
    ['30/02/2026', null],
    ['12/31/2026', null],
    ['31/12/26', null],
    ['0001-01-01', null],
    ['demain', null],
    ['', null],
  ])('reads the day %j', (text, day) => {
    expect(read.readDay(text)).toBe(day)
  })

  it.each([
    ['1942', '1942', 1942],
    ['impr. 1942', '1942', null],
    ['12/03/1987', '1987', 1987],
    ['1850', '1850', null],
    ['sans date', null, null],
  ])('reads the year of %j', (text, year, birth) => {
    expect(read.readYear(text)).toBe(year)
    expect(read.readBirthYear(text)).toBe(birth)
  })

  it.each([
    ['12,50 €', '12.50'],
    ['1 234,5', '1234.50'],
    ['8.2 EUR', '8.20'],
    ['$10', '10.00'],
    ['1.234', null],
    ['', null],
    ['gratuit', null],
  ])('reads the amount %j', (text, amount) => {
    expect(read.readMoney(text)).toBe(amount)
  })

  it.each([
    ['2-07-036002-4', '9782070360024'],
    ['ISBN 978-2-07-036002-4', '9782070360024'],
    // A number of the SUDOC, which would be an ISBN with a zero before it.
    ['439023483', '439023483'],
    ['36000291452', '36000291452'],
    ['036000291452', '0036000291452'],
    ['9.78207E+12', null],
    ['0003-4010', '0003-4010'],
    ['', null],
  ])('reads the code %j', (text, code) => {
    expect(read.readCode(text)).toBe(code)
  })

  it('reads yes and no, lists, words of states and kinds, and addresses', () => {
    expect(['Oui', 'X', 'false', '0', 'peut-être'].map(read.readFlag)).toEqual([
      true,
      true,
      false,
      false,
      null,
    ])
    expect(read.readList('chat; chien ;chat;')).toEqual(['chat', 'chien'])
    expect(read.readList('chat, chien')).toEqual(['chat', 'chien'])
    expect(read.readList('Paris, Ville | Lyon')).toEqual(['Paris, Ville', 'Lyon'])
    expect([read.readAudience('Jeunesse'), read.readAudience('A'), read.readAudience('?')]).toEqual([
      'youth',
      'adult',
      null,
    ])
    expect([read.readCopyState('Bon état'), read.readCopyState('abîmé')]).toEqual(['GOOD', 'DAMAGED'])
    expect([read.readReaderKind('Collectivité'), read.readCopyType('vente')]).toEqual([
      'collectivity',
      'Vente',
    ])
    expect(['a@b.fr', 'a@b', 'sans', 'a b@c.fr'].map(read.isEmail)).toEqual([true, false, false, false])
  })
})
