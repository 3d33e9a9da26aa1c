import { describe, expect, it } from 'vitest'

import {
  idleChoices,
  idleWords,
  moreThanWords,
  stopSentence,
  weedingName,
  weedingReasonCodes,
  weedingStopCodes,
  whyWeeded,
} from '../../src/domain/weeding.ts'

describe('weedingName', () => {
  it.each([
    [[], '0 exemplaires'],
    [['given'], 'Un exemplaire donné'],
    [['destroyed'], 'Un exemplaire détruit (pilon)'],
    [['sold', 'sold'], '2 exemplaires vendus'],
    [['given', 'given', 'given', 'given'], '4 exemplaires donnés'],
    [['lost', 'given', 'given'], '3 exemplaires\u202f: 2 donnés, 1 perdu'],
    [
      ['lost', 'lost', 'destroyed', 'destroyed', 'sold', 'given'],
      '6 exemplaires\u202f: 1 donné, 1 vendu, 2 détruits (pilon), 2 perdus',
    ],
  ] as const)('of %j: %s', (reasons, name) => {
    expect(weedingName(reasons)).toBe(name)
  })

  it('has a word for each reason', () => {
    expect(weedingReasonCodes.map((reason) => weedingName([reason]))).toEqual([
      'Un exemplaire donné',
      'Un exemplaire vendu',
      'Un exemplaire détruit (pilon)',
      'Un exemplaire perdu',
    ])
  })
})

describe('moreThanWords', () => {
  it.each([
    ['1', 'Plus d’un exemplaire'],
    ['2', 'Plus de 2 exemplaires'],
    ['10', 'Plus de 10 exemplaires'],
  ])('of %s', (most, words) => {
    expect(moreThanWords(most)).toBe(words)
  })
})

it('idleWords say in years what idleChoices count in months', () => {
  const years = idleChoices.map((choice) => /(\d+) ans?$/.exec(idleWords[choice])?.[1])
  expect(years.map((year) => (year === undefined ? null : Number(year) * 12))).toEqual([
    null,
    null,
    12,
    24,
    36,
    60,
    120,
  ])
  expect(idleChoices.slice(2).map(Number)).toEqual([12, 24, 36, 60, 120])
})

describe('stopSentence', () => {
  it('says what keeps the copy', () => {
    expect(weedingStopCodes.map((stop) => stopSentence('Nana', stop))).toEqual([
      '«\u00a0Nana\u00a0» est en prêt\u202f: il ne peut pas être retiré du fonds.',
      '«\u00a0Nana\u00a0» est en transfert\u202f: il ne peut pas être retiré du fonds.',
      '«\u00a0Nana\u00a0» est réservé par un lecteur\u202f: il ne peut pas être retiré du fonds.',
    ])
  })
})

describe('whyWeeded', () => {
  const known = { why: '', state: 'GOOD', state_name: 'Bon état', loans: 4, last_loan: '2019-05-02' } as const

  it('is what whoever chose it looked for', () => {
    expect(whyWeeded({ ...known, why: 'Pas prêté depuis 5 ans' })).toBe('Pas prêté depuis 5 ans')
  })

  it.each([
    [{}, 'Dernier prêt en 2019'],
    [{ last_loan: null }, 'Jamais prêté'],
    [{ loans: 0 }, 'Jamais prêté'],
    [{ loans: 1 }, 'Dernier prêt en 2019'],
    [{ state: 'DAMAGED', state_name: 'Abîmé' }, 'Abîmé · Dernier prêt en 2019'],
    [{ state: 'UNUSABLE', state_name: 'Inutilisable', last_loan: null }, 'Inutilisable · Jamais prêté'],
    [{ state: 'VERY_GOOD', state_name: 'Très bon état' }, 'Dernier prêt en 2019'],
  ] as const)('is else what is known of it: %j, %s', (told, why) => {
    expect(whyWeeded({ ...known, ...told })).toBe(why)
  })
})
