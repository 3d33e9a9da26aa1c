import { describe, expect, it } from 'vitest'

import {
  deliveredWord,
  deliveredWords,
  pluralOf,
  type WordCode,
  wordCodes,
} from '../../src/domain/delivered-words.ts'
import { inSentence } from '../../src/domain/house-words.ts'

describe('deliveredWords', () => {
  it('are some forty, each once, as in the middle of a sentence', () => {
    const all = wordCodes.map((code) => deliveredWords[code].word)
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(40)
    expect(all.every((word) => word === inSentence(word))).toBe(true)
  })

  it.each<[WordCode, string]>([
    ['relatives', 'Le pluriel de «\u00a0proche\u00a0».'],
    ['copies', 'Le pluriel d’«\u00a0exemplaire\u00a0».'],
    ['inventories', 'Le pluriel d’«\u00a0inventaire\u00a0».'],
    ['users', 'Le pluriel d’«\u00a0utilisateur\u00a0».'],
    ['references', 'Le pluriel de «\u00a0référence\u00a0».'],
  ])('say of %s what it is the plural of: %s', (code, about) => {
    expect(deliveredWords[code].about).toBe(about)
  })

  it('have the gender of their singular, and something to be told by', () => {
    for (const code of wordCodes) {
      const { gender, about } = deliveredWords[code]
      expect(['m', 'f']).toContain(gender)
      expect(about).not.toBe('')
    }
    expect([deliveredWords.reference.gender, deliveredWords.references.gender]).toEqual(['f', 'f'])
    expect([deliveredWords.copy.gender, deliveredWords.copies.gender]).toEqual(['m', 'm'])
  })
})

describe('deliveredWord', () => {
  it('knows the words that are delivered, and none of another version', () => {
    expect(deliveredWord('reference')).toEqual({
      word: 'référence',
      gender: 'f',
      about: 'Ce que le catalogue décrit.',
    })
    expect(deliveredWord('bicycle')).toBeUndefined()
  })
})

describe('pluralOf', () => {
  it.each([
    ['beneficiary', 'lecteurs'],
    ['copy', 'exemplaires'],
    ['user', 'utilisateurs'],
    ['beneficiaries', undefined],
    ['users', undefined],
    ['bicycle', undefined],
  ])('of %s is %s', (code, plural) => expect(pluralOf(code)).toBe(plural))
})
