import { describe, expect, it } from 'vitest'

import { codedWords, hasLevels, levelsOf, ofLevels } from '../../src/domain/list-groups.ts'

describe('codedWords', () => {
  it.each([
    [{}, ''],
    [{ Auteur: ['Sand, George'] }, 'Auteur\u202f: Sand, George'],
    [
      { Auteur: ['Sand, George', 'Musset, Alfred de'], Illustrateur: ['Doré, Gustave'] },
      'Auteur\u202f: Sand, George, Musset, Alfred de\u202f; Illustrateur\u202f: Doré, Gustave',
    ],
  ])('of %j', (coded, words) => {
    expect(codedWords(coded)).toBe(words)
  })
})

describe('levels of a name', () => {
  it.each([
    ['Roman', ['Roman'], false],
    ['Roman > Policier', ['Roman', 'Policier'], true],
    ['Roman > Policier > Nordique', ['Roman', 'Policier', 'Nordique'], true],
    ['Roman>Policier', ['Roman>Policier'], false],
    ['', [''], false],
  ])('of %j are %j', (name, levels, has) => {
    expect([levelsOf(name), ofLevels(levels), hasLevels(name)]).toEqual([levels, name, has])
  })
})
