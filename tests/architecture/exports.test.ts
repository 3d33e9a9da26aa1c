import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

const paths = ['src', 'sw', 'tests'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(root, path)),
)
const files = [...paths, 'vite.config.ts'].map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** How many files have each word. */
const named = new Map<string, number>()
for (const { text } of files)
  for (const word of new Set(text.match(/[A-Za-z_]\w*/g))) named.set(word, (named.get(word) ?? 0) + 1)

it('a file exports nothing that no other file names', () => {
  const own = files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => named.get(name) === 1)
      .map((name) => `${path}: ${name}`),
  )
  expect(own).toEqual([])
})
