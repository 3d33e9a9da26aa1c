import { describe, expect, it } from 'vitest'

import { type ImageSource, isImageRule, outsideOf } from '../../src/domain/image-sources.ts'

describe('isImageRule', () => {
  it.each<ImageSource[][]>([
    [[]],
    [['own']],
    [['none']],
    [['own', 'none']],
    [['bnf', 'openlibrary']],
    [['openlibrary', 'bnf', 'none']],
    [['own', 'bnf', 'openlibrary', 'none']],
  ])('takes %j', (rule) => expect(isImageRule(rule)).toBe(true))

  it.each<ImageSource[][]>([
    [['bnf', 'own']],
    [['bnf', 'own', 'none']],
    [['none', 'own']],
    [['none', 'bnf']],
    [['own', 'none', 'bnf']],
    [['bnf', 'bnf']],
    [['own', 'own']],
    [['none', 'none']],
  ])('refuses %j', (rule) => expect(isImageRule(rule)).toBe(false))
})

describe('outsideOf', () => {
  it.each<[ImageSource[] | null, ImageSource[]]>([
    [null, []],
    [[], []],
    [['own', 'none'], []],
    [
      ['own', 'openlibrary', 'bnf', 'none'],
      ['openlibrary', 'bnf'],
    ],
  ])('seeks by %j in %j', (rule, sources) => expect(outsideOf(rule)).toEqual(sources))
})
