import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Reporter, TestCase } from 'vitest/node'

/** Where a run leaves the names of the files that failed, as `[project, file]` (read by failed-files.ts). */
export const failedFiles = 'dist/failed-files.json'

/** Names every test that was tried twice, with its first fault, because a second try must hide nothing. */
export const secondTries: Reporter = {
  onTestRunEnd(files) {
    const failed = files
      .filter((file) => !file.ok())
      .map((file) => [file.project.name, file.relativeModuleId])
    mkdirSync(dirname(failedFiles), { recursive: true })
    writeFileSync(failedFiles, JSON.stringify(failed))
    const tried = files.flatMap((file) =>
      [...file.children.allTests()].filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0),
    )
    if (tried.length === 0) return
    process.stdout.write(`\nTests that needed a second try (${tried.length}):\n${tried.map(told).join('')}\n`)
  },
}

function told(test: TestCase): string {
  const { state, errors = [] } = test.result()
  const outcome = state === 'passed' ? 'passed then' : 'failed again'
  const first = errors[0]?.message.split('\n', 1)[0] ?? 'no reason given'
  return `  ${test.project.name}  ${test.module.relativeModuleId} > ${test.fullName} (${outcome})\n    ${first}\n`
}

const mostLines = 8

/** Names what is red once more, last of all, because a log may be cut before its end. */
export const redTests: Reporter = {
  onTestRunEnd(files) {
    const red = files.flatMap((file) => [...file.children.allTests('failed')])
    if (red.length === 0) return
    process.stdout.write(`\nRed (${red.length}):\n${red.map(faultOf).join('')}\n`)
  },
}

function faultOf(test: TestCase): string {
  const { errors = [] } = test.result()
  const places = errors[0]?.stacks?.map(({ file, line }) => `at ${file}:${line}`) ?? []
  const lines = [...(errors[0]?.message.split('\n').slice(0, mostLines) ?? []), ...places]
  return `  ${test.project.name}  ${test.module.relativeModuleId} > ${test.fullName}\n${lines.map((line) => `    ${line}\n`).join('')}`
}
