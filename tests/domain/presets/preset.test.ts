import { describe, expect, it } from 'vitest'

import { atTheCounter, medium } from '../../../src/domain/presets/preset.ts'
import { deliveredProfiles } from '../../../src/domain/rights.ts'

describe('medium', () => {
  it('has no limit, no penalty and no conditions unless said', () => {
    expect(medium(['Livre', 'LIV'], [3, 'semaine'], { most: null })).toEqual({
      name: 'Livre',
      code: 'LIV',
      duration: 3,
      duration_type: 'WEEK',
      max_loaning: null,
      max_late: null,
      penalty_enabled: false,
      penalty_amount: null,
      penalty_duration_type: null,
      loaning_conditions_enabled: false,
      loaning_conditions_label: null,
    })
  })

  it('has what is said, a limit of none too', () => {
    const limits = { most: 2, late: 0, penalty: ['5.00', 'jour'], conditions: 'Caution remise.' } as const
    expect(medium(['Tente', 'TEN'], [1, 'cycle'], limits)).toMatchObject({
      duration_type: 'CYCLE',
      max_loaning: 2,
      max_late: 0,
      penalty_enabled: true,
      penalty_amount: '5.00',
      penalty_duration_type: 'DAY',
      loaning_conditions_enabled: true,
      loaning_conditions_label: 'Caution remise.',
    })
  })

  it.each([
    ['jour', 'DAY'],
    ['semaine', 'WEEK'],
    ['mois', 'MONTH'],
  ] as const)('counts by the %s as %s, its loans and its penalties', (unit, type) => {
    expect(medium(['A', 'A'], [1, unit], { most: 1, penalty: ['1.00', unit] })).toMatchObject({
      duration_type: type,
      penalty_duration_type: type,
    })
  })
})

describe('atTheCounter', () => {
  it('adds to what a volunteer may do, nothing twice', () => {
    expect(atTheCounter()).toEqual(deliveredProfiles.Bénévole)
    expect(atTheCounter('INVENTORY', 'LOANING_ADD', 'INVENTORY')).toEqual([
      ...deliveredProfiles.Bénévole,
      'INVENTORY',
    ])
  })
})
