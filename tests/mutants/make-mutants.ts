import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { Instrumenter } from '@stryker-mutator/instrumenter'

type Place = { line: number; column: number }

export type Mutant = {
  id: string
  file: string
  /** Counted from 1. */
  line: number
  kind: string
  from: Place
  to: Place
  before: string
  after: string
  /** The same wherever its line moves to, so that a sample stays the same. */
  key: string
}

const silent = () => false
const log = {
  isTraceEnabled: silent,
  isDebugEnabled: silent,
  isInfoEnabled: silent,
  isWarnEnabled: silent,
  isErrorEnabled: silent,
  isFatalEnabled: silent,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

/** Every mutant of these files, and their text with all of them in it, each behind a switch. */
export async function makeMutants(
  files: readonly string[],
): Promise<{ mutants: Mutant[]; texts: Map<string, string> }> {
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const made = await new Instrumenter(log).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    // Words are compared to the letter by tests/letter.
    { plugins: null, ignorers: [], excludedMutations: ['StringLiteral'], noHeader: true },
  )
  const seen = new Map<string, number>()
  const mutants = made.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName: file, mutatorName: kind, location: { start, end }, replacement }) => {
      const before = between(sources.get(file) ?? '', start, end)
      const told = [file, kind, before, replacement].join('\n')
      const nth = seen.get(told) ?? 0
      seen.set(told, nth + 1)
      const key = `${told}\n${nth}`
      return { id, file, line: start.line + 1, kind, from: start, to: end, before, after: replacement, key }
    })
  return { mutants, texts: new Map(made.files.map(({ name, content }) => [name, content])) }
}

function between(text: string, { line, column }: Place, to: Place): string {
  const lines = text.split('\n').slice(line, to.line + 1)
  lines.push((lines.pop() ?? '').slice(0, to.column))
  lines[0] = (lines[0] ?? '').slice(column)
  return lines.join('\n')
}

/** As many as asked for, drawn by lot from each folder; the same seed draws the same from the same text. */
export function drawn(mutants: readonly Mutant[], most: number, seed: string): Mutant[] {
  const lot = ({ key }: Mutant) => createHash('sha256').update(`${seed}\n${key}`).digest('hex')
  const lots = new Map(mutants.map((mutant) => [mutant, lot(mutant)]))
  const byLot = mutants.toSorted((a, b) => ((lots.get(a) ?? '') < (lots.get(b) ?? '') ? -1 : 1))
  const taken = new Map<string, number>()
  return byLot.filter(({ file }) => {
    const already = taken.get(folderOf(file)) ?? 0
    taken.set(folderOf(file), already + 1)
    return already < most
  })
}

/** `src/domain` of `src/domain/presets/preset.ts`. */
export const folderOf = (file: string) => file.split('/').slice(0, 2).join('/')

/** Whether one of the two stands in the other, so that only one of them could act. */
export function overlap(a: Mutant, b: Mutant): boolean {
  const before = (one: Place, other: Place) =>
    one.line < other.line || (one.line === other.line && one.column <= other.column)
  return a.file === b.file && !before(a.to, b.from) && !before(b.to, a.from)
}
