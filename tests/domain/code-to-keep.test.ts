import { expect, it } from 'vitest'

import { codeToKeep } from '../../src/domain/code-to-keep.ts'

it.each([
  ['as it is', '31555510000017', '31555510000017'],
  ['without its AIM identifier', ']C0BIB-000042', 'BIB-000042'],
  ['as what a French keyboard meant', '"&((((&ààààà&è', '31555510000017'],
  ['with the guards that its label may have', 'A7700123B', 'A7700123B'],
  ['in its own case', 'bib-000042', 'bib-000042'],
  ['of nothing, as nothing', ' ', ''],
])('a code is kept %s', (_, text, kept) => {
  expect(codeToKeep(text)).toBe(kept)
})

it('a camera that knows the bars keeps the guards of the label too', () => {
  expect(codeToKeep('A7700123B', 'codabar')).toBe('A7700123B')
})
