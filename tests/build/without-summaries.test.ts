import { expect, it } from 'vitest'

import { withoutSummariesOf } from '../../src/build/without-summaries.ts'

it('withoutSummariesOf takes out the summaries of calls, and nothing else', () => {
  const code = `endpoint({ name: 'a', summary: 'Lire, d\\'une fois', path: '/a' })
endpoint({ summary:
  "Écrire (l'un)", name: 'summary' })`
  expect(withoutSummariesOf(code)).toBe(`endpoint({ name: 'a',  path: '/a' })
endpoint({  name: 'summary' })`)
})
