import { describe, expect, it } from 'vitest'

import {
  cellOf,
  counted,
  countedAsToday,
  reportCodes,
  reportDimensions,
  reportPeriod,
  reportTable,
  unknownPart,
} from '../../src/domain/yearly-report.ts'

describe('cellOf', () => {
  const cell = (row: string, column: string, count: number) => ({ row, column, count })
  const cells = [
    cell('Livre', 'adult', 3),
    cell('Livre', 'youth', 2),
    cell('DVD', 'adult', 5),
    cell('DVD', '', 1),
  ]

  it.each([
    ['one cell', 'Livre', 'youth', 2],
    ['a row', 'DVD', null, 6],
    ['a column', null, 'adult', 8],
    ['all', null, null, 11],
    ['what is not known', null, '', 1],
    ['what nothing has', 'DVD', 'youth', 0],
    ['a row that is not met', 'CD', 'adult', 0],
    ['what is known of all in a row', 'Livre', '', 0],
  ])('counts %s', (_, row, column, count) => {
    expect(cellOf(cells, { row, column })).toBe(count)
  })

  it('counts what is not known under the key of unknownPart', () => {
    expect(cellOf(cells, { row: 'DVD', column: unknownPart.key })).toBe(1)
  })

  it('is zero where nothing is counted at all', () => {
    expect(cellOf([], { row: 'Livre', column: 'adult' })).toBe(0)
    expect(cellOf([], { row: null, column: null })).toBe(0)
  })

  it.each([
    ['of a row, where no row is known', '0-5', null, null],
    ['of the row of what is not known', '', null, 4],
    ['of all of it', null, null, 4],
    ['of a row and a column, where no row is known', '0-5', 'adult', null],
    ['of a column that is not met', null, 'youth', 0],
    ['of what is not known in a column that is not met', '', 'youth', 0],
  ])('where nobody recorded rows, %s', (_, row, column, count) => {
    expect(cellOf([cell('', 'adult', 4)], { row, column })).toBe(count)
  })

  it.each([
    ['of a column, where no column is known', null, 'adult', null],
    ['of the column of what is not known', null, '', 4],
    ['of a row that is not met', 'DVD', null, 0],
    ['of a row that is not met, where no column is known', 'DVD', 'adult', null],
    ['of a row that is not met and what is not known', 'DVD', '', 0],
  ])('where nobody recorded columns, %s', (_, row, column, count) => {
    expect(cellOf([cell('Livre', '', 4)], { row, column })).toBe(count)
  })

  it('takes a part for known as soon as something is known by it', () => {
    expect(cellOf([cell('', 'adult', 4), cell('0-5', 'adult', 1)], { row: '6-10', column: null })).toBe(0)
    expect(cellOf([cell('Livre', '', 4), cell('Livre', 'adult', 1)], { row: null, column: 'youth' })).toBe(0)
  })
})

describe('reportPeriod', () => {
  it.each([
    ['2026-12-30', '2026-12-30'],
    ['2026-12-31', '2026-12-31'],
    ['2027-01-01', '2026-12-31'],
    ['2026-01-01', '2026-01-01'],
  ])('on %s tells 2026 up to %s', (today, end_date) => {
    expect(reportPeriod(2026, today)).toEqual({ start_date: '2026-01-01', end_date })
  })
})

describe('reportTable', () => {
  it('finds each table by its code, and tells all that is counted', () => {
    expect(reportCodes.map((code) => reportTable(code).code)).toEqual(reportCodes)
    expect(new Set(reportCodes).size).toBe(9)
    expect(new Set(reportCodes.map((code) => reportTable(code).counts))).toEqual(new Set(counted))
  })

  it('asks for the right of what it counts', () => {
    const rights = {
      held: 'STATISTIC_REFERENCE',
      acquired: 'STATISTIC_REFERENCE',
      withdrawn: 'STATISTIC_REFERENCE',
      borrowers: 'STATISTIC_BENEFICIARIES',
      loans: 'STATISTIC_LOANINGS',
    }
    const tables = reportCodes.map(reportTable)
    expect(tables.map(({ right }) => right)).toEqual(tables.map(({ counts }) => rights[counts]))
  })
})

describe('reportDimensions', () => {
  it('name their fixed parts, bands of age in words', () => {
    const { age, audience, kind } = reportDimensions
    expect(Object.values(reportDimensions).every(({ title }) => title.length > 0)).toBe(true)
    expect(age.fixed.map(({ key, label }) => [key, label])).toEqual([
      ['0-5', '0 à 5 ans'],
      ['6-10', '6 à 10 ans'],
      ['11-14', '11 à 14 ans'],
      ['15-24', '15 à 24 ans'],
      ['25-64', '25 à 64 ans'],
      ['65+', '65 ans et plus'],
      ['collectivity', 'Collectivités'],
    ])
    expect(audience.fixed).toEqual([
      { key: 'adult', label: 'Adulte' },
      { key: 'youth', label: 'Jeunesse' },
    ])
    expect(kind.fixed.map(({ key }) => key)).toEqual(['person', 'collectivity'])
  })
})

describe('countedAsToday', () => {
  it('tells of sites only where there are several', () => {
    expect(
      [true, false].map((isMultisite) => countedAsToday(isMultisite).includes('au site où il est')),
    ).toEqual([true, false])
  })
})
