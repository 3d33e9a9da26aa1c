import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { failedFiles } from './second-tries.ts'

// Runs the few failed files of pages and faults once more, alone; fails where no test had run, too much failed for chance, or a rule or a call did.

const mostFiles = 4
const triedTwice = ['forms', 'walks', 'faults']

const failed = readFailed()
if (
  failed.length === 0 ||
  failed.length > mostFiles ||
  failed.some(([project]) => !triedTwice.includes(project))
)
  process.exit(1)
process.stdout.write(
  `\nTried once more, alone (${failed.length}):\n${failed.map(([project, file]) => `  ${project}  ${file}\n`).join('')}\n`,
)
for (const [project, file] of failed) {
  const { status } = spawnSync('npm', ['run', 'test:all', '--', '--project', project, file], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}

function readFailed(): [project: string, file: string][] {
  try {
    return JSON.parse(readFileSync(failedFiles, 'utf8')) as [string, string][]
  } catch {
    // No test was run.
    return []
  }
}
