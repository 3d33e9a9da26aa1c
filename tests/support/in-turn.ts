import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

import type { ProjectName } from './projects.ts'

/** In how many parts a project's files are tried by CI, and which every run has (docs/decisions/0062-the-suite.md). */
const turns: Partial<Record<ProjectName, { parts: number; always: RegExp }>> = {
  storage: { parts: 12, always: /^tests\/(backup\/commands|db\/embedded-engine)\./ },
  postgres: { parts: 32, always: /^tests\/db\// },
  sweeps: { parts: 8, always: /^tests\/reservations\/at-once\./ },
  walks: { parts: 48, always: /^tests\/walks\/live\./ },
  faults: { parts: 32, always: /^tests\/faults\/server-dies\./ },
}

/** What this run leaves to others, told at its end. */
export const allLeft: string[] = []

/** The files that this commit's run has of a project: all of them, unless `IN_TURN=1` and its name is known. */
export function inTurn(project: ProjectName, files: string[]): string[] {
  const turn = process.env['IN_TURN'] === '1' ? turns[project] : undefined
  const commit = turn ? nameOfCommit() : null
  if (!turn || commit === null) return files
  const { parts, always } = turn
  const mine = Number.parseInt(commit.slice(0, 8), 16) % parts
  const isMine = (file: string) => always.test(file) || partOf(file, parts) === mine
  allLeft.push(...files.filter((file) => !isMine(file)))
  return files.filter(isMine)
}

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
