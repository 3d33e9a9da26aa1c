import { describe, expect, it } from 'vitest'

import { otherSide, refusalWords } from '../../src/client/outbox/entry-words.ts'
import type { Problem } from '../../src/offline/entry.ts'

const problem = (message: string, more: Partial<Problem> = {}): Problem => ({
  code: 409,
  reason: null,
  message,
  facts: null,
  ...more,
})
const label = { kind: 'lend', title: 'Les Misérables, tome 1', beneficiary: null, due: null } as const

describe('refusalWords', () => {
  it('does not say the title again under the title', () => {
    const said = '« Les Misérables, tome 1 » est déjà prêté à Éric Dupont (M2).'
    expect(refusalWords({ label, problem: problem(said) })).toBe(
      'L’exemplaire est déjà prêté à Éric Dupont (M2).',
    )
    expect(
      refusalWords({ label, problem: problem(said.replaceAll(' »', '\u00a0»').replace('« ', '«\u202f')) }),
    ).toMatch(/^L’exemplaire est/)
  })

  it('leaves another title, and sentences without one, as they are', () => {
    for (const said of [
      '« Les Misérables » a été retiré du catalogue.',
      'Cet exemplaire est sujet à réservations',
    ]) {
      expect(refusalWords({ label, problem: problem(said) })).toBe(said)
    }
    expect(refusalWords({ label, problem: null })).toBeNull()
  })
})

it('otherSide tells only what the refusal has not said', () => {
  const violations = ['L’inscription a pris fin.', 'Trop de prêts en cours.'].map((message) => ({
    propertyPath: 'beneficiary',
    message,
  }))
  const refused = problem('L’inscription a pris fin.', {
    code: 422,
    reason: 'NOT_ELIGIBLE',
    facts: { violations },
  })
  expect(otherSide(refused, 'x')).toEqual(['Trop de prêts en cours.'])
})
