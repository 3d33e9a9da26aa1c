import { describe, expect, it } from 'vitest'

import { counted } from '../../src/client/ui/words.ts'

const loans = (count: number) => counted(count, 'prêt', 'prêts', 'Aucun prêt')

describe('counted', () => {
  it.each([
    [0, 'Aucun prêt'],
    [1, '1 prêt'],
    [2, '2 prêts'],
    [1234, '1\u202f234 prêts'],
  ])('says %i as people read it: %s', (count, words) => {
    expect(loans(count)).toBe(words)
  })
})
