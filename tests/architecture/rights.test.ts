import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { endpoints } from '../../src/contract/endpoints.ts'
import { rightSentences } from '../../src/domain/right-sentences.ts'
import { type Right, rightCodes } from '../../src/domain/rights.ts'

const page = readFileSync('docs/rights.md', 'utf8')
const rows = Array.from(
  page.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm),
  ([, code, sentence, opens]) => ({
    code,
    sentence,
    opens,
  }),
)
const waiting = rows.filter(({ opens }) => opens === 'attend son écran').map(({ code }) => code)

/** Where the server or the table of screens asks for a right, beside the endpoints' own. */
const asking = [
  'src/client/app/screens.tsx',
  ...readdirSync('src/server', { recursive: true, encoding: 'utf8' }).map((path) => `src/server/${path}`),
]
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(path, 'utf8'))

const isAsked = (code: Right): boolean =>
  endpoints.some(({ access }) => access === code || (Array.isArray(access) && access.includes(code))) ||
  asking.some((text) => text.includes(`'${code}'`))

describe('the page of the rights', () => {
  it('has every right with its sentence, in their order', () => {
    expect(rows.map(({ code, sentence }) => [code, sentence])).toEqual(
      rightCodes.map((code) => [code, rightSentences[code]]),
    )
  })

  it('says of none that something asks for that it waits, and of every other what it opens', () => {
    expect(rightCodes.filter(isAsked).filter((code) => waiting.includes(code))).toEqual([])
    expect(rightCodes.filter((code) => !isAsked(code)).toSorted()).toEqual(waiting.toSorted())
  })
})
