import { describe, expect, it } from 'vitest'

import { otherSide, readWords, refusalWords, whatOf } from '../../src/client/outbox/entry-words.ts'
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

describe('a loan by codes', () => {
  const body = { copy_code: '31555', beneficiary_code: '21555' }
  const read = {
    label: { ...label, beneficiary: 'la carte 21555' },
    endpoint: 'loanings.lend',
    state: 'queued',
    body,
    device_id: 'ici',
  } as const

  it('is to be verified until the server has made it', () => {
    expect(whatOf(read)).toBe('Prêt à vérifier, à la carte 21555')
    expect(whatOf({ ...read, state: 'done' })).toBe('Prêt à la carte 21555')
    expect(whatOf({ ...read, body: { copy: 1, beneficiary: 1 } })).toBe('Prêt à la carte 21555')
  })

  it('tells what was read and where, of a choice about it too', () => {
    const told = ['Carte lue\u202f: 21555', 'Étiquette lue\u202f: 31555']
    expect(readWords(read, 'ici')).toEqual([...told, 'Lu sur cet appareil'])
    expect(readWords(read, undefined)).toEqual(told)
    const action = { endpoint: 'loanings.lend', body }
    expect(
      readWords({ ...read, endpoint: 'conflicts.settle', body: { choice: 'LINK_LEND', action } }, 'ailleurs'),
    ).toEqual([...told, 'Lu sur un autre appareil'])
    expect(readWords({ ...read, body: { copy: 1, beneficiary_code: '21555' } }, 'ici')).toEqual([
      'Carte lue\u202f: 21555',
      'Lu sur cet appareil',
    ])
    expect(readWords({ ...read, endpoint: 'loanings.return_copy', body: {} }, 'ici')).toEqual([])
  })
})
