import { expect, it } from 'vitest'

import { addedWords } from '../../src/client/start/preset-draft.ts'

const nothing = { media: 0, categories: 0, reasons: 0, contracts: 0, profiles: 0, parameters: 0 }

it('addedWords says what a preset laid down, in words that no line parts from their number', () => {
  expect(addedWords({ ...nothing, media: 7, categories: 1200, parameters: 1 })).toBe(
    '7\u00a0supports, 1\u202f200\u00a0catégories, 1\u00a0réglage',
  )
  expect(addedWords(nothing)).toBe('')
})
