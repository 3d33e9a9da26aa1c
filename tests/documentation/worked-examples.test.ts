import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const page = readFileSync('docs/architecture.md', 'utf8')
const examples = Array.from(
  page.matchAll(/```tsx?\n\/\/ (\S+) \(part\)\n([^]*?)```/g),
  ([, path = '', text = '']) => ({ path, text }),
)

/** From the repository's root, or from `src`. */
const found = (path: string) => [path, `src/${path}`].find((one) => existsSync(one))

const paths = Array.from(page.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g), ([, path = '']) => path)
const named = Array.from(page.matchAll(/`(\w+)`\s\(`([\w./-]+\.tsx?)`/g), ([, name = '', path = '']) => ({
  name,
  path,
}))

describe('docs/architecture.md', () => {
  it('is read in one go', () => expect(page.split('\n').length).toBeLessThanOrEqual(200))

  it('leads to files that are there', () => {
    expect(paths.length).toBeGreaterThan(100)
    expect(paths.filter((path) => found(path) === undefined)).toEqual([])
  })

  it('names with a file what stands in it', () => {
    expect(named.length).toBeGreaterThan(20)
    const lost = named.filter(({ name, path }) => {
      const file = found(path)
      return file !== undefined && !new RegExp(`\\b${name}\\b`).test(readFileSync(file, 'utf8'))
    })
    expect(lost).toEqual([])
  })

  it('has an example, shown as it is', () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const { path, text } of examples) expect(readFileSync(path, 'utf8')).toContain(text)
  })
})
