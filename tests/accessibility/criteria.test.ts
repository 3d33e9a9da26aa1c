import { existsSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { counts, numberOf, outcomes, stateOf, themes } from '../../src/client/accessibility/criteria.ts'
import { heldBy } from './held-by.ts'

const rows = themes.flatMap(({ criteria }, theme) =>
  criteria.map((criterion, at) => ({ ...criterion, number: numberOf(theme, at) })),
)

describe('the criteria of RGAA 4.1', () => {
  it('are all there, by theme', () => {
    expect(themes.map(({ criteria }) => criteria.length)).toEqual([
      9, 2, 3, 13, 8, 2, 5, 10, 4, 14, 13, 11, 12,
    ])
    expect(rows).toHaveLength(106)
    expect(rows[0]?.number).toBe('1.1')
    expect(rows.at(-1)?.number).toBe('13.12')
    expect(rows.filter(({ asks, note }) => !/\.$/.test(asks) || !/\.$/.test(note))).toEqual([])
    expect(new Set(rows.map(({ asks, number }) => asks + number)).size).toBe(106)
  })

  it('are counted from the rows', () => {
    expect(outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)).toBe(106)
    for (const outcome of outcomes)
      expect([outcome, rows.filter((row) => row.outcome === outcome).length]).toEqual([
        outcome,
        counts[outcome],
      ])
  })

  it('are met by what a test that is there holds, or for a plain reason', () => {
    const met = rows.filter(({ outcome }) => outcome === 'conforme').map(({ number }) => number)
    const held = Object.values(heldBy).flat()
    expect(Object.keys(heldBy).filter((test) => !existsSync(test))).toEqual([])
    // Whoever adds one says why no test can hold it.
    expect(met.filter((number) => !held.includes(number))).toEqual(['13.7'])
    expect(held.filter((number) => !met.includes(number))).toEqual([])
  })

  it('make no state of conformity as long as one is to be checked by a person', () => {
    const none = { conforme: 0, 'non conforme': 0, 'non applicable': 0, 'à vérifier': 0 }
    expect(stateOf({ ...none, conforme: 105, 'à vérifier': 1 })).toBe('non conforme')
    expect(stateOf({ ...none, conforme: 106 })).toBe('totalement conforme')
    expect(stateOf({ ...none, conforme: 60, 'non conforme': 46 })).toBe('partiellement conforme')
    expect(stateOf({ ...none, conforme: 45, 'non conforme': 60 })).toBe('non conforme')
  })
})
