import { describe, expect, it } from 'vitest'

import { missingLabel, penaltyKept } from '../../src/domain/medium-rules.ts'

describe('missingLabel', () => {
  const fault = 'Donnez un libellé aux conditions de prêt.'

  it.each([
    [true, 'Assurance', null],
    [true, '', fault],
    [true, '  ', fault],
    [true, null, fault],
    [false, null, null],
    [false, '', null],
  ])('of conditions that are asked for (%s) under %j: %s', (isAsked, label, said) => {
    expect(missingLabel({ loaning_conditions_enabled: isAsked, loaning_conditions_label: label })).toBe(said)
  })
})

describe('penaltyKept', () => {
  it.each([
    [true, '0.50', '0.50'],
    [true, null, null],
    [false, '0.50', null],
  ])('of one that is on (%s) and of %s', (penalty_enabled, penalty_amount, kept) => {
    expect(penaltyKept({ penalty_enabled, penalty_amount })).toBe(kept)
  })
})
