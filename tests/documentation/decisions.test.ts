import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const folder = 'docs/decisions'
const records = readdirSync(folder).filter((name) => /^\d{4}-.+\.md$/.test(name))
const numbers = new Set(records.map((name) => name.slice(0, 4)))
const index = readFileSync(join(folder, 'README.md'), 'utf8')

const texts = ['src', 'tests', 'docs', 'sw', '.github']
  .flatMap((place) =>
    readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name)),
  )
  .filter((path) => /\.(ts|tsx|js|css|md|yaml|yml)$/.test(path))
  .concat('README.md', 'CHANGELOG.md', 'vite.config.ts', '.ci/run')
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

describe('docs/decisions', () => {
  it.each(records)('%s has its date, its status, what was met, what was decided and what follows', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    const [, title = ''] =
      /^# \d{4} · (.+)\n\n- Date: \d{4}-\d\d-\d\d\n- Status: in force\n\n\*\*Context\.\*\* /.exec(text) ?? []
    expect(text).toMatch(/^\*\*Decision\.\*\*/m)
    expect(text).toMatch(/^\*\*Consequences\.\*\* /m)
    expect(text.split('\n').length).toBeLessThanOrEqual(40)
    expect(index).toContain(`| [${name.slice(0, 4)}](${name}) | ${title} |`)
  })

  it('has one record a number, and lists no other', () => {
    expect(numbers.size).toBe(records.length)
    expect(index.match(/^\| \[\d{4}\]/gm)).toHaveLength(records.length)
  })

  it('has each record that is cited', () => {
    const lost = texts.flatMap(({ path, text }) =>
      [
        ...Array.from(text.matchAll(/decisions?\s(?:\*\s|\/\/\s)?\(?(\d{1,4})\b/gi), ([cited, no = '']) => ({
          cited,
          no,
        })),
        ...Array.from(text.matchAll(/decisions\/(\d{4})(?:[\w-]+\.md)?/g), ([cited, no = '']) => ({
          cited,
          no: cited.endsWith('.md') && !existsSync(join('docs', cited)) ? cited : no,
        })),
        ...(path.startsWith(folder)
          ? Array.from(text.matchAll(/\((\d{4})\)/g), ([cited, no = '']) => ({ cited, no }))
          : []),
      ]
        .filter(({ no }) => !numbers.has(no))
        .map(({ cited }) => `${path}: ${cited}`),
    )
    expect(texts.length).toBeGreaterThan(1000)
    expect(lost).toEqual([])
  })
})
