import { describe, expect, it } from 'vitest'

import { durationTypes, isDurationValue } from '../../../src/domain/loan-rules.ts'
import { deliveredParameters, parameterFault } from '../../../src/domain/parameters.ts'
import type { Preset } from '../../../src/domain/presets/preset.ts'
import { presetCodes, presetParameterCodes, presets } from '../../../src/domain/presets/presets.ts'
import { deliveredProfiles, rights } from '../../../src/domain/rights.ts'

const preset = (code: (typeof presetCodes)[number]): Preset => presets[code]

/** A library’s own lists hold no name twice, and none that is empty. */
function expectNames(names: readonly string[]) {
  expect(names.length).toBeGreaterThan(0)
  expect(new Set(names).size).toBe(names.length)
  expect(names.every((name) => /^\p{Lu}(?:.*\S)?$/u.test(name))).toBe(true)
}

describe.each(presetCodes)('the preset %s', (code) => {
  const { title, about, media, categories, delay_reasons, free_reasons, contracts, profiles, parameters } =
    preset(code)

  it('has a title, a sentence and names for each of its lists', () => {
    expectNames([title, about])
    for (const names of [categories, delay_reasons, free_reasons, contracts]) expectNames(names)
    expectNames(media.map(({ name }) => name))
  })

  it('has media that the software knows how to lend', () => {
    expect(new Set(media.map((medium) => medium.code)).size).toBe(media.length)
    for (const one of media) {
      expect(one.code).toMatch(/^[A-Z]{2,3}$/)
      expect(isDurationValue(one.duration) && one.duration_type in durationTypes).toBe(true)
      for (const [limit, least] of [
        [one.max_loaning, 1],
        [one.max_late, 0],
      ] as const) {
        expect(limit === null || (Number.isInteger(limit) && limit >= least)).toBe(true)
      }
      if (one.penalty_enabled) {
        expect(one.penalty_amount).toMatch(/^\d+\.\d\d$/)
        expect(['DAY', 'WEEK', 'MONTH']).toContain(one.penalty_duration_type)
      }
      if (one.loaning_conditions_enabled) expect(one.loaning_conditions_label).toMatch(/\.$/)
    }
  })

  it('adds profiles that are not delivered, of rights that exist', () => {
    for (const profile of profiles) {
      expectNames([profile.name, profile.about])
      expect(Object.keys(deliveredProfiles)).not.toContain(profile.name)
      expect(profile.rights.length).toBeGreaterThan(0)
      expect(profile.rights.filter((right) => !(right in rights))).toEqual([])
    }
  })

  it('sets parameters to what they take, once each and other than delivered', () => {
    expect(new Set(parameters.map((one) => one.code)).size).toBe(parameters.length)
    for (const { code: parameter, value } of parameters) {
      expect(parameterFault(parameter, value)).toBeNull()
      expect(deliveredParameters[parameter].delivered).not.toBe(value)
    }
  })
})

describe('presetCodes', () => {
  it('offer a media library first, then toys, equipment and a council', () => {
    expect(presetCodes).toEqual(['mediatheque', 'ludotheque', 'parc', 'comite'])
  })
})

describe('presetParameterCodes', () => {
  it('are each parameter that some preset sets, once', () => {
    expect([...presetParameterCodes].sort()).toEqual([
      'calendar_week_day',
      'delay_days_number_before_penalize',
      'enable_reservations_amount',
      'multiple_reservations',
      'relative_search',
      'reservations_without_dates',
    ])
  })
})
