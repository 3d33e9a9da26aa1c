import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const examples = [
  ...readFileSync('docs/architecture.md', 'utf8').matchAll(/```tsx?\n\/\/ (\S+)( \(part\))?\n([^]*?)```/g),
]

describe('docs/architecture.md', () => {
  it('has examples to copy', () => expect(examples.length).toBeGreaterThan(8))

  it.each(examples.map(([, path = '', part = '', text = '']) => ({ path, part, text })))(
    'shows $path as it is$part',
    ({ path, part, text }) => {
      const file = readFileSync(path, 'utf8')
      if (part === '') expect(text).toBe(file)
      else expect(file).toContain(text)
    },
  )
})
