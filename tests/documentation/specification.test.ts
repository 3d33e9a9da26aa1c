import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const [head = '', otherwise = '', ...folders] = readFileSync('docs/specification.md', 'utf8').split(/^## /m)

const pathOf = (name: string) =>
  ['.test.ts', '.test.tsx'].map((end) => `tests/${name}${end}`).find((path) => existsSync(path))

/** What stands below the names of files: `- ‘how a title begins’: sentences`. */
const shown = folders.flatMap((text) => {
  const [folder = '', ...lines] = text.split('\n')
  let file = ''
  return lines.flatMap((line) => {
    if (!line.startsWith('- ')) {
      if (line !== '') file = `${folder}/${line}`
      return []
    }
    const [, title, sentences = ''] = /^- (?:`([^`]+)`|every test): (.+)$/.exec(line) ?? []
    return [{ line, file, title, sentences }]
  })
})

const decided = Array.from(
  otherwise.matchAll(/^- .+? \(([^()]+)\): .+?\. ((?:\S+ `[^`]+`(?:, |$))+)/gm),
  ([, decision = '', tests = '']) => ({ decision, tests }),
)
const named = [
  ...shown,
  ...decided.flatMap(({ tests }) =>
    Array.from(tests.matchAll(/(\S+) `([^`]+)`/g), ([line, file = '', title]) => ({ line, file, title })),
  ),
]

/** Titles stand between quotation marks of any of the three kinds; `…` ends what is only the beginning of one. */
function titlesOf(path: string, title: string): Set<string> {
  const isCut = title.endsWith('…')
  const begin = isCut ? title.slice(0, -1) : title
  const escaped = begin.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const whole = new RegExp(`(['"\`])${escaped}${isCut ? String.raw`(?:(?!\1)[^\n])*` : ''}\\1`, 'g')
  return new Set(Array.from(readFileSync(path, 'utf8').matchAll(whole), ([text]) => text))
}

describe('the page of the specification', () => {
  it('has a sentence at each line, below a file', () => {
    expect(head).toContain('# The specification')
    expect(shown.length).toBeGreaterThan(300)
    expect(shown.filter(({ file, sentences }) => file === '' || sentences === '')).toEqual([])
    expect(new Set(shown.map(({ file, title }) => `${file} ${title}`)).size).toBe(shown.length)
  })

  it('names tests that are there', () => {
    expect(named.filter(({ file }) => pathOf(file) === undefined)).toEqual([])
  })

  it('names them by how one title begins, and one alone', () => {
    const lost = named.filter(({ file, title }) => {
      const path = pathOf(file)
      return path !== undefined && title !== undefined && titlesOf(path, title).size !== 1
    })
    expect(lost.map(({ file, line }) => `${file} ${line}`)).toEqual([])
  })

  it('says otherwise where a deviation is kept, which the decision lists', () => {
    const kept = readFileSync('docs/decisions/0025-deviations.md', 'utf8').split('## Kept')[1] ?? ''
    expect(decided).toHaveLength(otherwise.match(/^- /gm)?.length ?? 0)
    const names = decided.map(({ decision }) => decision)
    expect(names.filter((one) => !kept.includes(`\n| ${one} |`))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['D17', 'D21', 'the site’s dialog']))
  })
})
