import type { Reporter, TestModule } from 'vitest/node'

import { allLeft } from './in-turn.ts'

const mostTold = 30
/** A run of a few files is at a desk, where each time is told already. */
const fewestFiles = 100

/** Tells each project's time and the slowest files, because the suite has a limit of time. */
export const slowestFiles: Reporter = {
  onTestRunEnd(files) {
    if (allLeft.length > 0)
      process.stdout.write(
        `\nLeft to other commits, ${allLeft.length} files:\n${allLeft.map((file) => `  ${file}\n`).join('')}`,
      )
    if (files.length < fewestFiles) return
    const timed = files.map((file) => ({ file, seconds: secondsOf(file) }))
    const sums = [...new Set(timed.map(({ file }) => file.project.name))].map((project) => {
      const ofProject = timed.filter(({ file }) => file.project.name === project)
      const seconds = ofProject.reduce((sum, one) => sum + one.seconds, 0)
      return `  ${inSeconds(seconds)}  ${project}, ${ofProject.length} files\n`
    })
    const slowest = timed
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, mostTold)
      .map(({ file, seconds }) => `  ${inSeconds(seconds)}  ${file.project.name}  ${file.relativeModuleId}\n`)
    process.stdout.write(`\nSeconds by project:\n${sums.join('')}\nSlowest files:\n${slowest.join('')}\n`)
  },
}

function secondsOf(file: TestModule): number {
  const { collectDuration, setupDuration, prepareDuration, environmentSetupDuration, duration } =
    file.diagnostic()
  return (collectDuration + setupDuration + prepareDuration + environmentSetupDuration + duration) / 1_000
}

const inSeconds = (seconds: number): string => seconds.toFixed(0).padStart(5)
