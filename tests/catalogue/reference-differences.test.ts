import { expect, it } from 'vitest'

import { differencesOf } from '../../src/client/catalogue/reference-fields.ts'
import type { Reference } from '../../src/contract/catalogue.ts'

const title = {
  name: 'Germinal',
  code: null,
  tags: {},
  reference_data: {},
  authors: {},
  keywords: [],
  new_at: null,
  image_path: null,
} as unknown as Reference
const told = (before: Partial<Reference>, now: Partial<Reference>) =>
  differencesOf({ ...title, ...before }, { ...title, ...now }).map(({ field, words }) => `${field} ${words}`)

it('differencesOf says of an image whether somebody else added, replaced or took it away', () => {
  const [one, other] = [{ image_path: '/image?v=1' }, { image_path: '/image?v=2' }]
  expect(told({}, one)).toEqual(['image ajoutée'])
  expect(told(one, other)).toEqual(['image remplacée'])
  expect(told(other, {})).toEqual(['image retirée'])
  expect(told(one, one)).toEqual([])
})
