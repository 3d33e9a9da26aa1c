import { describe, expect, it } from 'vitest'

import { ageAfterDe } from '../../src/client/home/data-age.ts'

const now = Date.parse('2026-03-10T09:00:00Z')
const hour = 3600_000

describe('ageAfterDe', () => {
  it.each([
    [0, 'il y a un instant'],
    [2 * hour, 'il y a 2 heures'],
    [50 * hour, 'avant-hier'],
    [72 * hour, 'il y a 3 jours'],
  ])('says after « données d’ » the age of what was read %d ms ago', (age, words) => {
    expect(ageAfterDe(new Date(now - age).toISOString(), now).replace(/\s/g, ' ')).toBe(words)
  })

  it('says that it does not know', () => {
    expect(ageAfterDe(null)).toBe('un âge inconnu')
  })
})
