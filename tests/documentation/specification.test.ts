import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const page = readFileSync('docs/specification.md', 'utf8')
const rows = Array.from(
  page.matchAll(/^\| (\d+\.\d+)\.(\d+) \| .+ \| (.+?) \|$/gm),
  ([, section = '', rank = '', shown = '']) => ({ section, rank: Number(rank), shown }),
)
const open = rows.filter(({ shown }) => shown.startsWith('open: '))
const standing = rows.filter((row) => !open.includes(row))
/** Departs from the sentence on purpose: why, then the tests that show it. */
const otherwise = /^otherwise, as decided \([^)]+\): .+?: (?=`)/
const kept = readFileSync('docs/decisions/0025-deviations.md', 'utf8').split('## Kept')[1] ?? ''
const isOtherwise = ({ shown }: { shown: string }) => otherwise.test(shown)

const oneTest = /`(tests\/[\w./-]+\.test\.tsx?)`(?: › `([^`]+)`)?/
const named = standing.flatMap(({ section, rank, shown }) =>
  Array.from(shown.matchAll(new RegExp(oneTest, 'g')), ([, path = '', title]) => ({
    no: `${section}.${rank}`,
    path,
    title,
  })),
)

const texts = new Map(
  named.filter(({ path }) => existsSync(path)).map(({ path }) => [path, readFileSync(path, 'utf8')]),
)
/** Titles stand between quotation marks of any of the three kinds. */
const hasTitle = (path: string, title: string): boolean =>
  ["'", '"', '`'].some((mark) => texts.get(path)?.includes(mark + title + mark))

describe('the page of the specification', () => {
  it('has a row for each line of its tables, numbered without a gap', () => {
    const lines = page.split('\n').filter((line) => /^\| \d/.test(line))
    expect(rows).toHaveLength(lines.length)
    for (const section of new Set(rows.map((row) => row.section))) {
      const ranks = rows.filter((row) => row.section === section).map(({ rank }) => rank)
      expect([section, ranks]).toEqual([section, ranks.map((_, at) => at + 1)])
    }
  })

  it('says of each row which tests show it, or what is missing', () => {
    const tests = new RegExp(`^${oneTest.source}(?:; ${oneTest.source})*$`)
    expect(standing.filter(({ shown }) => !tests.test(shown.replace(otherwise, '')))).toEqual([])
  })

  it('names tests that are there, by titles that they have', () => {
    expect(named.filter(({ path }) => !texts.has(path))).toEqual([])
    expect(
      named.filter(({ path, title }) => texts.has(path) && title !== undefined && !hasTitle(path, title)),
    ).toEqual([])
  })

  it('says otherwise where a deviation is kept, which the decision lists', () => {
    const deviations = standing.flatMap(
      ({ shown }) => /^otherwise, as decided \((D\d+|the site’s dialog)\)/.exec(shown)?.[1] ?? [],
    )
    expect(deviations.filter((one) => !kept.includes(`\n| ${one} |`))).toEqual([])
    expect(deviations).toEqual(expect.arrayContaining(['D17', 'D21', 'the site’s dialog']))
  })

  it('counts at its head what stands and what is open', () => {
    const decided = standing.filter(isOtherwise).length
    expect(page).toContain(
      `\n${standing.length - decided} sentences stand, ${decided} stand otherwise as decided, ${open.length} are open.\n`,
    )
  })
})
