import { describe, expect, it } from 'vitest'

import { type JournalledEntity, journalWords } from '../../src/contract/journal-words.ts'
import { rights } from '../../src/domain/rights.ts'

const entities = Object.keys(journalWords) as JournalledEntity[]

describe('journalWords', () => {
  it.each(entities)('has of %s who reads it, what is done and what is told, each in words', (entity) => {
    const { changedBy, actions, fields } = journalWords[entity]
    expect(changedBy.length).toBeGreaterThan(0)
    expect(changedBy.every((right) => right in rights)).toBe(true)
    expect(Object.keys(actions).length).toBeGreaterThan(0)
    expect(Object.values(actions)).not.toContain('')
    expect(Object.keys(fields).length).toBeGreaterThan(0)
    for (const { name, values } of Object.values(fields)) {
      expect(name).toMatch(/\p{L}/u)
      if (values) expect(Object.values(values).join('')).toMatch(/\p{L}/u)
    }
  })

  it('calls the days of the week by their number', () => {
    expect(journalWords['sites'].fields['open_weekdays']?.values).toEqual({
      1: 'lundi',
      2: 'mardi',
      3: 'mercredi',
      4: 'jeudi',
      5: 'vendredi',
      6: 'samedi',
      7: 'dimanche',
    })
  })

  it('has of a reference each coded field and each of its extra data', () => {
    const { fields } = journalWords['references']
    expect(['authors.author', 'authors.editor', 'authors.list'].map((code) => fields[code]?.kind)).toEqual([
      'coded',
      'coded',
      'coded',
    ])
    expect(fields['reference_data.subhead']).toEqual({ name: 'Sous-titre' })
    expect(Object.keys(fields).filter((code) => code.startsWith('reference_data.'))).toHaveLength(19)
  })

  it.each([
    ['BENEFICIARY_CONTACT', 'beneficiaries', ['email', 'phone']],
    ['BENEFICIARY_ADDRESS', 'beneficiaries', ['address', 'commune']],
    [
      'LIST_LOANINGS',
      'loanings',
      [
        'amount',
        'comment',
        'return_comment',
        'delay_reason',
        'delay_comment',
        'penalty_amount',
        'override_reason',
      ],
    ],
    ['LIST_SELL', 'sales', ['price', 'comment']],
  ] as const)('tells only who holds %s of %s %j', (right, entity, codes) => {
    const kept = Object.entries(journalWords[entity].fields).filter(([, field]) => field.right === right)
    expect(kept.map(([code]) => code)).toEqual(codes)
  })

  it('tells no secret', () => {
    const told = entities.flatMap((entity) => Object.keys(journalWords[entity].fields))
    expect(told.filter((code) => /password|token|secret$|hash/.test(code))).toEqual([])
  })
})
