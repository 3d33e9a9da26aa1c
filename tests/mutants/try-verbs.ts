import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'

import { createVitest } from 'vitest/node'

import { serverVerbs } from './server-verbs.ts'

/** Calls on the engine that needs no server beside it. */
const projects = ['calls', 'sweeps']
const report = 'dist/mutants/verbs.md'

/** Tries every mutant of the server's verbs, or those whose file or name has one of these words. */
export async function tryVerbs(words: readonly string[]): Promise<void> {
  const chosen = serverVerbs.filter(
    ({ name, file }) => words.length === 0 || words.some((word) => `${file} ${name}`.includes(word)),
  )
  for (const { file, before, name } of chosen) {
    const times = readFileSync(file, 'utf8').split(before).length - 1
    if (times !== 1) throw new Error(`${file} has ${times} times what « ${name} » changes`)
  }
  const vitest = await createVitest('test', {
    config: 'tests/mutants/verbs.config.ts',
    project: projects,
    watch: false,
    reporters: [{}],
    onConsoleLog: () => false,
  })
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))]
  const specifications = new Map(
    (await vitest.globTestSpecifications(files)).map((one) => [pathOf(one.moduleId), one]),
  )
  const run = async (tests: readonly string[], first: boolean) => {
    vitest.state.filesMap.clear()
    for (const { config } of [vitest, ...vitest.projects]) config.bail = first ? 1 : 0
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      tests.flatMap((file) => specifications.get(file) ?? []),
    )
    process.exitCode = 0
    const failed = testModules.find((module) => module.state() === 'failed')
    const tests_ = failed ? [...failed.children.allTests()] : []
    const by = tests_.find((test) => test.result().state === 'failed')?.fullName
    return {
      failed: failed && `${pathOf(failed.moduleId)}${by === undefined ? '' : `: ${by}`}`,
      unhandledErrors,
    }
  }

  const lost = files.filter((file) => !specifications.has(file))
  if (lost.length > 0) throw new Error(`no such tests: ${lost.join(', ')}`)
  const whole = await run(files, false)
  if (whole.failed !== undefined) throw new Error(`fails without a mutant: ${whole.failed}`)

  const rows: string[] = []
  for (const { name, file, tests } of chosen) {
    const started = Date.now()
    process.env['MUTANT'] = name
    vitest.invalidateFile(resolve(file))
    const { failed, unhandledErrors } = await run(tests, true)
    delete process.env['MUTANT']
    vitest.invalidateFile(resolve(file))
    const by = failed ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null)
    const row = `| ${name} | ${file.replace('src/server/', '')} | ${by === null ? '**survived**' : by} |`
    rows.push(row)
    console.log(`${row} ${Math.round((Date.now() - started) / 1000)} s`)
  }
  await vitest.close()
  const survived = rows.filter((row) => row.includes('**survived**')).length
  mkdirSync('dist/mutants', { recursive: true })
  writeFileSync(report, ['| mutant | of | killed by |', '| --- | --- | --- |', ...rows, ''].join('\n'))
  console.log(`\n${rows.length - survived} of ${rows.length} killed; ${report}`)
}

const pathOf = (id: string) => relative(process.cwd(), id).split(sep).join('/')
