import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { asArchived, beside } from '../../src/build/archive-documents.ts'
import { leadsNowhere } from './leads-nowhere.ts'

const has = (target: string) => beside.some((path) => target === path || target.startsWith(`${path}/`))
const documents = beside
  .flatMap((path) =>
    statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path],
  )
  .filter((path) => path.endsWith('.md'))

describe('a document in the archive', () => {
  it('is among what goes along', () => {
    expect(beside.filter((path) => !existsSync(path))).toEqual([])
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/install/README.md', 'docs/rights.md']),
    )
  })

  it.each(documents)('%s leads only to what the archive has', (path) => {
    const isThere = (target: string) => has(target) || target === 'dist/client/guide/index.html'
    const archived = asArchived(path, readFileSync(path, 'utf8'), isThere)
    expect(leadsNowhere(path, archived, isThere)).toEqual([])
  })

  it('says its words where a link leads to what is not there, and shows no picture that is not', () => {
    const text = 'Voir [le pourquoi](docs/decisions), [le site](https://exemple.fr) et ![une image](a.png).'
    expect(asArchived('README.md', text, () => false)).toBe(
      'Voir le pourquoi, [le site](https://exemple.fr) et .',
    )
    expect(asArchived('README.md', text, () => true)).toBe(text)
  })

  it('leads to the guide as pages', () => {
    expect(asArchived('docs/security.md', '[guide](guide/README.md#lire)', () => true)).toBe(
      '[guide](../dist/client/guide/index.html#lire)',
    )
  })

  it('does not say how to develop without the sources, and says that it does not', () => {
    const archived = asArchived('README.md', readFileSync('README.md', 'utf8'), has)
    expect(archived).toContain(
      "## Développer, à partir des sources\n\nL'archive n'a ni les essais, ni ce qui construit.\n\n## Licence\n",
    )
    for (const command of ['npm test', 'npm run dev', 'npm run check'])
      expect(archived).not.toContain(command)
  })
})
