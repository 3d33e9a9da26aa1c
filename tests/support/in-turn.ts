import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/**
 * Of files that no single run must have, each run has one part in so many, and the commit's name says which: answers what `IN_TURN=1`
 * leaves to others, as paths from the repository's root; nothing where no commit is known.
 */
export function leftToOthers(among: (file: string) => boolean, parts: number): string[] {
  if (process.env['IN_TURN'] !== '1') return []
  const commit = nameOfCommit()
  if (commit === null) return []
  const turn = Number.parseInt(commit.slice(0, 8), 16) % parts
  const left = testFiles().filter((file) => among(file) && partOf(file, parts) !== turn)
  allLeft.push(...left)
  return left
}

/** What this run leaves to others, told at its end. */
export const allLeft: string[] = []

const partOf = (file: string, parts: number): number =>
  createHash('sha256').update(file).digest().readUInt32BE() % parts

function nameOfCommit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}

const testFiles = (): string[] =>
  readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => join('tests', file).split(sep).join('/'))
