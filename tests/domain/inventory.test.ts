import { describe, expect, it } from 'vitest'

import {
  type CountedCopy,
  findingActionCodes,
  findingActions,
  findingActionWords,
  findingGroups,
  findingGroupWords,
  judgeScan,
  type ScanVerdict,
} from '../../src/domain/inventory.ts'

const [here, there] = [1, 2]
const [novels, comics, cellar] = [10, 11, 12]
const kept: CountedCopy = { site: here, location: novels, status: 'Disponible', deleted: false }
const whole = { site: here, locations: [] }
const shelves = { site: here, locations: [novels, comics] }

const seen = (copy: Partial<CountedCopy>, shelf: number | null = null) => ({
  copy: { ...kept, ...copy },
  isCounted: false,
  shelf,
})

describe('judgeScan', () => {
  it.each<[what: string, copy: Partial<CountedCopy>, shelf: number | null, verdict: ScanVerdict]>([
    ['in its place', {}, null, 'found'],
    ['on its shelf', {}, novels, 'found'],
    ['on another shelf than its own', {}, comics, 'elsewhere'],
    ['of a shelf that is not counted', { location: cellar }, null, 'elsewhere'],
    ['of a shelf that is not counted, on its own', { location: cellar }, cellar, 'found'],
    ['without a place', { location: null }, null, 'found'],
    ['without a place, on any shelf', { location: null }, comics, 'found'],
    ['of another site', { site: there }, novels, 'elsewhere'],
    ['of another site, without a place', { site: there, location: null }, null, 'elsewhere'],
    ['on loan', { status: 'En Location' }, novels, 'lent'],
    ['on loan, of another site', { status: 'En Location', site: there }, null, 'lent'],
    ['in transfer', { status: 'En transfert' }, novels, 'found'],
    ['kept from being lent', { status: 'Non Disponible' }, novels, 'found'],
    ['out of the stock', { deleted: true }, novels, 'withdrawn'],
    ['out of the stock, and said to be on loan', { deleted: true, status: 'En Location' }, null, 'withdrawn'],
  ])('judges a copy %s, while two shelves are counted', (_, copy, shelf, verdict) => {
    expect(judgeScan(seen(copy, shelf), shelves)).toBe(verdict)
  })

  it('counts the last shelf of those that are counted as it does the first', () => {
    expect(judgeScan(seen({ location: comics }), shelves)).toBe('found')
  })

  it('takes every shelf for counted where none is named', () => {
    expect(judgeScan(seen({ location: cellar }), whole)).toBe('found')
    expect(judgeScan(seen({ location: cellar }, novels), whole)).toBe('elsewhere')
  })

  it('says of what was counted before only that', () => {
    for (const copy of [kept, { ...kept, deleted: true }, { ...kept, status: 'En Location' as const }]) {
      expect(judgeScan({ copy, isCounted: true, shelf: comics }, shelves)).toBe('already')
    }
  })

  it('knows nothing of nobody’s label, however often it is scanned', () => {
    expect(
      [false, true].map((isCounted) => judgeScan({ copy: null, isCounted, shelf: null }, whole)),
    ).toEqual(['unknown', 'unknown'])
  })
})

describe('findingActions', () => {
  it('are each of one group, and have words like the groups', () => {
    expect(new Set(findingActionCodes).size).toBe(findingActionCodes.length)
    expect(Object.keys(findingActionWords).sort()).toEqual([...findingActionCodes].sort())
    expect(Object.keys(findingActions)).toEqual([...findingGroups])
    expect(Object.keys(findingGroupWords)).toEqual([...findingGroups])
  })

  it('leave nothing to do about nobody’s label, and two things about what is missing', () => {
    expect(findingGroups.map((group) => findingActions[group].length)).toEqual([2, 1, 1, 1, 1, 0])
  })
})
