import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { testFiles } from '../support/projects.ts'

/** Prettier begins a line with what stands in nothing else. */
const alone = /^(?:it|test)\b/gm
const titleAlone = /^(?:it|test)(?:\.\w+(?:<[^]*?>)?\([^]*?\))?\(\s*(['"`])(.+?)\1,/gm
/** An article, a name of the code, a value of a table, or a word with a capital. */
const namesItsSubject = /^(?:(?:an?|the|each|every|what|whatever)\b|[a-z]+[A-Z]|[%$«A-Z])/

it('a test says in its title what it is about, unless it stands in a `describe` that does', () => {
  const nameless: string[] = []
  for (const path of testFiles) {
    const text = readFileSync(path, 'utf8')
    const titles = Array.from(text.matchAll(titleAlone), ([, , title = '']) => title)
    expect([path, titles.length]).toEqual([path, text.match(alone)?.length ?? 0])
    nameless.push(
      ...titles.filter((title) => !namesItsSubject.test(title)).map((title) => `${path}: ${title}`),
    )
  }
  expect(nameless).toEqual([])
})
