import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import * as read from '../../src/domain/import-values.ts'
import { readDay } from '../../src/domain/read-day.ts'

describe('readDay', () => {
  it('sees no day in a text, however often it says an hour', () => {
    const text = `0000${'T00:00'.repeat(16_000)}\nx`
    expect(Array.from({ length: 100 }, () => readDay(text))).toEqual(Array(100).fill(null))
  })

  it.each([
    ['31/12/2026', '2026-12-31'],
    ['1/2/2026', '2026-02-01'],
    ['01-02-2026', '2026-02-01'],
    ['31.12.2026', '2026-12-31'],
    ['2026-12-31', '2026-12-31'],
    ['2026/2/1', '2026-02-01'],
    ['2026.12.31', '2026-12-31'],
    ['20261231', '2026-12-31'],
    [' 31/12/2026\n', '2026-12-31'],
    ['2026-12-31T10:00:00Z', '2026-12-31'],
    ['31/12/2026 10:15', '2026-12-31'],
    ['31/12/2026 9h05', '2026-12-31'],
    ['20261231 10:15', '2026-12-31'],
    ['jeudi 31 décembre 2026', '2026-12-31'],
    ['31 DÉCEMBRE 2026', '2026-12-31'],
    ['1er août 2026', '2026-08-01'],
    ['le 1er janvier 2026', '2026-01-01'],
    ['29/02/2024', '2024-02-29'],
    // The days of Excel.
    ['36526', '2000-01-01'],
    ['46387', '2026-12-31'],
    ['20000', '1954-10-03'],
    ['18264', '1950-01-01'],
    ['10000', '1927-05-18'],
    // Of this century, as in the date fields of screens.
    ['31/12/26', '2026-12-31'],
    ['31.12.98', '2098-12-31'],
    ['31 décembre 26', '2026-12-31'],
    ['01-févr-27', '2027-02-01'],
    ['1 juil. 2027', '2027-07-01'],
    ['69999', '2091-08-24'],
  ])('reads %j as %s', (text, day) => expect(readDay(text)).toBe(day))

  it.each([
    '',
    'demain',
    '30/02/2026',
    '29/02/2026',
    '12/31/2026',
    '2026-31-12',
    '20263112',
    '131/12/2026',
    '31/12/20261',
    '12026-12-31',
    '2026-12-311',
    '202612311',
    '120261231',
    '0001-01-01',
    '31 brumaire 2026',
    'un jeudi 31 décembre 2026',
    'en 31 décembre 2026 environ',
    '31 décembre 20266',
    '32 décembre 2026',
    '9999',
    '26-12-31',
    '1 jui 26',
    '1 ma 26',
    '70000',
    '4638',
    '463870',
    '46387,5',
    '10:15',
  ])('reads in %j no day', (text) => expect(readDay(text)).toBeNull())
})

it.each([
  ['31/12/26', '2026-12-31'],
  ['31/12/27', '1927-12-31'],
  ['31-déc-98', '1998-12-31'],
  ['31/12/00', '2000-12-31'],
])('readDay reads %j as the last such year up to 2026', (text, day) => {
  expect(readDay(text, 2026)).toBe(day)
})

describe('readYear', () => {
  it.each([
    ['1942', '1942'],
    [' 1942 ', '1942'],
    ['1000', '1000'],
    [' 1000 ', '1000'],
    ['2999', '2999'],
    ['12/03/1987', '1987'],
    ['1er août 2026', '2026'],
    ['impr. 1942', '1942'],
    ['cop. 2011', '2011'],
    ['1999-', '1999'],
    ['[1400?]', '1400'],
    ['DL 2099', '2099'],
    ['1998, réimpr. 2004', '1998'],
    ['sans date', null],
    ['DL 1399', null],
    ['DL 2100', null],
    ['0999', null],
    ['3000', null],
    ['n° 19991', null],
    ['n° 31999', null],
    ['19', null],
    ['', null],
  ])('reads in %j %s', (text, year) => expect(read.readYear(text)).toBe(year))
})

describe('readBirthYear', () => {
  it.each([
    ['1942', 1942],
    [' 1942 ', 1942],
    ['12/03/1987', 1987],
    ['12/05/54', 1954],
    ['12/05/26', 2026],
    ['18264', 1950],
    ['1900', 1900],
    ['1899', null],
    ['01/01/1900', 1900],
    ['31/12/1899', null],
    ['2100', 2100],
    ['2101', null],
    ['impr. 1942', null],
    ['9421', null],
    ['1942.5', null],
    ['119421', null],
    ['0', null],
    ['', null],
  ])('reads in %j %s', (text, year) => expect(read.readBirthYear(text, 2026)).toBe(year))
})

describe('readMoney', () => {
  it.each([
    ['12,50 €', '12.50'],
    ['€12.5', '12.50'],
    ['1 234,5', '1234.50'],
    ['8.2 EUR', '8.20'],
    ['8 euro', '8.00'],
    ['12,50EUR', '12.50'],
    ['8 Euros', '8.00'],
    ['$10', '10.00'],
    ['0', '0.00'],
    ['12€50', '12.50'],
    ['12 euros 50', '12.50'],
    ['12 EUR 50', '12.50'],
    // Two ways to read it.
    ['1.234', null],
    ['12 50', null],
    ['8 europes', null],
    ['8 neur', null],
    ['8 eur2', null],
    ['gratuit', null],
    ['€', null],
    ['$', null],
    [' ', null],
    ['', null],
  ])('reads in %j %s', (text, amount) => expect(read.readMoney(text)).toBe(amount))
})

describe('readFlag', () => {
  it.each(['Oui', 'o', 'YES', 'y', 'vrai', 'True', '1', ' x '])('reads %j as yes', (text) => {
    expect(read.readFlag(text)).toBe(true)
  })
  it.each(['Non', 'n', 'NO', 'faux', 'False', '0', '', ' - '])('reads %j as no', (text) => {
    expect(read.readFlag(text)).toBe(false)
  })
  it.each(['peut-être', '2', 'oui non', 'ouï-dire'])('reads in %j neither', (text) => {
    expect(read.readFlag(text)).toBeNull()
  })
})

describe('isSheetError', () => {
  it.each(['#N/A', '#NOM?', '#NAME?', '#REF!', '#DIV/0!', '#VALEUR!', ' #value! ', 'Err:502'])(
    'knows %j',
    (text) => expect(read.isSheetError(text)).toBe(true),
  )
  it.each(['#metoo', '#OUI!', 'N/A', 'Erreur', '#REF! et suite', ''])('takes %j for what it is', (text) =>
    expect(read.isSheetError(text)).toBe(false),
  )
})

describe('isShortenedNumber', () => {
  it.each(['9.78207E+12', '9,78207E+12', '9E12', '9e+1', ' 9.7E+12 '])('knows %j', (text) => {
    expect(read.isShortenedNumber(text)).toBe(true)
  })
  it.each(['9782070360024', '97.8E+12', '9.E+12', 'E+12', '9E', '9E-12', '9E+12X', 'X9E+12', ''])(
    'takes %j for what it is',
    (text) => expect(read.isShortenedNumber(text)).toBe(false),
  )
})

describe('readCode', () => {
  it.each([
    ['2-07-036002-4', '9782070360024'],
    ['2 07 036002 4', '9782070360024'],
    ['9782070360024', '9782070360024'],
    ['ISBN 978-2-07-036002-4', '9782070360024'],
    ['isbn-13: 9782070360024', '9782070360024'],
    ['ISBN-10 : 2070360024', '9782070360024'],
    ['978-2-900000-14-4 (br.)', '9782900000144'],
    ['978-2-900000-14-4 (rel.) : 12 EUR', '9782900000144'],
    ['ISBN 978-2-900000-14-4 br. 12 €', '9782900000144'],
    ['2-07-036002-4 (rel.)', '9782070360024'],
    ['0-8044-2957-X (rel.)', '9780804429573'],
    ['9782900000144 / 9782900000151', '9782900000144'],
    ['978207036002452500', '9782070360024'],
    ['978\u20112\u201107\u2011036002\u20114', '9782070360024'],
    ['4 006381 333931 (boîte)', '4006381333931'],
    ['978-2-07-036002-5 (br.)', '978-2-07-036002-5 (br.)'],
    ['EAN 4006381333931', '4006381333931'],
    ['ISSN 0003-4010', '0003-4010'],
    ['0003-4010', '0003-4010'],
    // Its last digit is wrong: it stays as it is written.
    ['978-2-07-036002-5', '978-2-07-036002-5'],
    // A number of the SUDOC, which would be an ISBN with a zero before it.
    ['439023483', '439023483'],
    ['36000291452', '36000291452'],
    ['036000291452', '0036000291452'],
    ['0 36000 29145 2', '0036000291452'],
    ['036000291453', '036000291453'],
    [' Jeu 12 ', 'Jeu 12'],
    ['Jeu ISBN 12', 'Jeu ISBN 12'],
    ['9.78207E+12', null],
    ['ISBN', null],
    [' ', null],
    ['', null],
  ])('reads %j as %j', (text, code) => expect(read.readCode(text)).toBe(code))
})

describe('readList', () => {
  it.each([
    ['chat; chien ;chat;', ['chat', 'chien']],
    ['chat, chien', ['chat', 'chien']],
    ['chat\nchien', ['chat', 'chien']],
    ['Paris, Ville | Lyon', ['Paris, Ville', 'Lyon']],
    ['Paris, Ville; Lyon', ['Paris, Ville', 'Lyon']],
    ['Paris, Ville\nLyon', ['Paris, Ville', 'Lyon']],
    [' grand   chat ', ['grand chat']],
    ['grand\t chat', ['grand chat']],
    ['chat', ['chat']],
    [' ; ', []],
    ['', []],
  ])('reads in %j %j', (text, words) => expect(read.readList(text)).toEqual(words))

  it('reads again what it has read', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const words = read.readList(text)
        expect(read.readList(`${words.join(';')};`)).toEqual(words)
      }),
    )
  })
})

describe.each<[string, (text: string) => string | null, [text: string, value: string][]]>([
  [
    'readAudience',
    read.readAudience,
    [
      ['Adulte', 'adult'],
      ['A', 'adult'],
      ['Jeunesse', 'youth'],
      ['E', 'youth'],
      ['Enfants', 'youth'],
    ],
  ],
  [
    'readReaderKind',
    read.readReaderKind,
    [
      ['Personne', 'person'],
      ['Collectivité', 'collectivity'],
      ['École', 'collectivity'],
    ],
  ],
  [
    'readCopyState',
    read.readCopyState,
    [
      ['Très bon état', 'VERY_GOOD'],
      ['Neuf', 'VERY_GOOD'],
      ['Bon état', 'GOOD'],
      ['abîmé', 'DAMAGED'],
      ['Hors d’usage', 'UNUSABLE'],
    ],
  ],
  [
    'readCopyType',
    read.readCopyType,
    [
      ['Location', 'Location'],
      ['Prêt', 'Location'],
      ['vente', 'Vente'],
    ],
  ],
])('%s', (_, readWord, known) => {
  it.each(known)('reads « %s » as %s', (text, value) => expect(readWord(text)).toBe(value))

  // The last is a word of every object.
  it.each(['?', '', 'autre', 'constructor'])('reads nothing in « %s »', (text) => {
    expect(readWord(text)).toBeNull()
  })
})

describe('readEmail', () => {
  it.each([
    ['a@b.fr', 'a@b.fr'],
    [' A@b.fr ', 'A@b.fr'],
    ['a.b+c@mail.b-c.fr', 'a.b+c@mail.b-c.fr'],
    ['mailto:a@b.fr', 'a@b.fr'],
    ['MAILTO:a@b.fr', 'a@b.fr'],
  ])('takes %j as %s', (text, address) => expect(read.readEmail(text)).toBe(address))

  it.each([
    '',
    'sans',
    'mailto:',
    'a@b',
    '@b.fr',
    'a@.fr',
    'a@b.',
    'a@b..fr',
    'a b@c.fr',
    'a@b c.fr',
    'a@b.f r',
    'a@b@c.fr',
    'a@b.fr, c@d.fr',
    'a@b.fr;c@d.fr',
    '<a@b.fr>',
  ])('refuses %j', (text) => expect(read.readEmail(text)).toBeNull())
})
