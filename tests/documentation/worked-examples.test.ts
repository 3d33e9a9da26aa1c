import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const examples = [...readFileSync('docs/architecture.md', 'utf8').matchAll(/```ts\n\/\/ (\S+)\n([^]*?)```/g)]

it('has examples to copy', () => expect(examples.length).toBeGreaterThan(3))

it.each(examples.map(([, path = '', text = '']) => [path, text]))('shows %s as it is', (path, text) => {
  expect(text).toBe(readFileSync(path, 'utf8'))
})
