import { readdirSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { fileProblem } from '../../src/domain/upload-rules.ts'
import { quotedFragments, quotedSentences, quotedWords } from './sentences.ts'

const folder = 'domain/sentences/'
const files = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => [name.replaceAll('\\', '/'), readFileSync(`src/${name}`, 'utf8')]),
)
const subjects = import.meta.glob<Record<string, string | ((n: number) => string)>>(
  '../../src/domain/sentences/*.ts',
  { eager: true },
)
const constants = Object.values(subjects).flatMap((subject) => Object.entries(subject))

const saidOf = ({ quoted, said = [quoted] }: (typeof quotedSentences)[number]) => said
const specified = [...new Set(quotedSentences.flatMap(saidOf))]

describe('the sentences of the specification', () => {
  it('are each one constant, letter by letter, and there is no other', () => {
    const said = constants.flatMap(([, sentence]) =>
      typeof sentence === 'string' ? [sentence] : [sentence(1), sentence(2)],
    )
    expect(said.toSorted()).toEqual(specified.toSorted())
  })

  it.each(constants.map(([name]) => name))('%s is said by a screen or by the server', (name) => {
    const word = new RegExp(`\\b${name}\\b`)
    const sayers = [...files].filter(
      ([file, text]) =>
        /^(client|server|offline)\//.test(file) && word.test(text.replace(/^import.*$/gm, '')),
    )
    expect(sayers.length).toBeGreaterThan(0)
  })

  it('are written in no other typography, and nowhere a second time', () => {
    const otherwise = [...files].flatMap(([name, text]) => {
      const plain = text
        .replaceAll('’', "'")
        .replaceAll('…', '...')
        .replaceAll(/\\u202f|\\u00a0|&#8239;|\u202f|\u00a0/g, ' ')
      const isTheirs = name.startsWith(folder)
      return specified
        .filter((sentence) => sentence.length > 2)
        .filter((sentence) => countOf(plain, sentence) !== (isTheirs ? countOf(text, sentence) : 0))
        .map((sentence) => `${name}: ${sentence}`)
    })
    expect(otherwise).toEqual([])
  })

  it('say of a file that is refused what file 2 quotes, after its name', () => {
    const file = { name: 'a.pdf', size: 1, type: 'application/pdf' }
    const refused = [
      fileProblem(file, { kind: 'pdf' }, [file]),
      fileProblem(file, { kind: 'pdf' }, [{ ...file, name: 'b.pdf', size: 16_000_000 }]),
      fileProblem({ ...file, size: 16_000_001 }, { kind: 'pdf' }, []),
      fileProblem({ ...file, name: 'a.doc' }, { kind: 'pdf' }, []),
    ]
    const names = ['a.pdf', 'a.pdf', 'a.pdf', 'a.doc']
    expect(refused.map((said) => said?.replace(/^.+?»[ :]*/, ''))).toEqual(
      quotedFragments.map((fragment) => fragment.replace('{n}', '16')),
    )
    expect(refused.every((said, at) => said?.startsWith(`«\u00a0${names[at]}\u00a0» `))).toBe(true)
  })
})

it('every other apostrophe that people read is typographic', () => {
  const straight = [...files]
    .filter(([name]) => !name.startsWith(folder))
    .flatMap(([name, text]) =>
      withoutComments(text)
        .replace(quotedWords[name] ?? /^/, '')
        .split('\n')
        .filter((line) => /\p{L}'[\p{L}«]|\b([dlnsjmtc]|qu)'(\$\{|\d)/iu.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    )
  expect(straight).toEqual([])
})

const countOf = (text: string, sentence: string) => text.split(sentence).length - 1
/** Comments are English, and an apostrophe stands in many. */
const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/ .*$/gm, '')
