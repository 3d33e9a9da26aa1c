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
      expect.arrayContaining(['README.md', 'docs/install/README.md', 'docs/operate.md', 'docs/rights.md']),
    )
  })

  it.each(documents)('%s leads only to what the archive has', (path) => {
    const isThere = (target: string) => has(target) || target.startsWith('dist/client/guide/')
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

  it('leads to the guide as pages, with its pictures', () => {
    expect(asArchived('docs/security.md', '[guide](guide/README.md#lire)', () => true)).toBe(
      '[guide](../dist/client/guide/index.html#lire)',
    )
    expect(asArchived('README.md', '![Prêter](docs/guide/pictures/lend.png)', () => true)).toBe(
      '![Prêter](dist/client/guide/pictures/lend.png)',
    )
  })
})
