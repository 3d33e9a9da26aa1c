import { describe, expect, it } from 'vitest'

import { heldByLoans, mayErase } from '../../src/domain/erasing.ts'
import { type Right, rightCodes } from '../../src/domain/rights.ts'

describe('mayErase', () => {
  const asked: Right[] = ['LIST_BENEFICIARIES', 'BENEFICIARY_EDIT', 'BENEFICIARY_HISTORY']

  it('asks for seeing readers, changing them and seeing their history, and no more', () => {
    expect(mayErase(new Set(asked))).toBe(true)
    expect(mayErase(new Set(rightCodes))).toBe(true)
  })

  it.each(asked)('refuses whoever lacks %s', (missing) => {
    expect(mayErase(new Set(rightCodes.filter((right) => right !== missing)))).toBe(false)
  })

  it('refuses whoever holds no right', () => expect(mayErase(new Set())).toBe(false))
})

describe('heldByLoans', () => {
  it.each([
    [1, 'Alice Martin a un prêt en cours\u202f: enregistrez d’abord son retour.'],
    [2, 'Alice Martin a 2 prêts en cours\u202f: enregistrez d’abord leur retour.'],
  ])('counts %i of them', (loans, sentence) => expect(heldByLoans('Alice Martin', loans)).toBe(sentence))
})
