import { relative, resolve, sep } from 'node:path'

import { createVitest } from 'vitest/node'

import type { Switches } from './switches.ts'

export type Run = {
  /** Files with a test that failed, or that could not be read. */
  failed: string[]
  /** What threw outside of any test. */
  strays: string[]
  /** Whether it had to be stopped. */
  hung: boolean
  /** Milliseconds by file. */
  times: Map<string, number>
  /** How often each mutant was gone through, by file. */
  hits: Map<string, Record<string, number>>
}

type How = Switches & {
  /** Each file in a worker of its own, rather than all in one that shares its modules. */
  alone: boolean
  /** Stops at the first test that fails. */
  first: boolean
  mostMs: number
}

export type PlainTests = {
  files: string[]
  run(files: readonly string[], how: How): Promise<Run>
  close(): Promise<void>
}

const pathOf = (id: string) => relative(process.cwd(), id).split(sep).join('/')

/** The plain tests that reach one of these files, over their instrumented texts. */
export async function openPlainTests(texts: ReadonlyMap<string, string>): Promise<PlainTests> {
  const byPath = new Map([...texts].map(([file, text]) => [resolve(file), text]))
  const vitest = await createVitest(
    'test',
    {
      config: 'tests/mutants/vitest.config.ts',
      setupFiles: ['tests/mutants/switches.ts'],
      watch: false,
      reporters: [{}],
      onConsoleLog: () => false,
      related: [...byPath.keys()],
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          transform: (code, id) =>
            byPath.get(id) ??
            // The same mutant dies or survives whenever it is tried.
            (/^import .* from 'fast-check'$/m.test(code)
              ? `${code}\nimport { configureGlobal as seeded } from 'fast-check'\nseeded({ seed: 1 })\n`
              : undefined),
        },
      ],
    },
  )
  const specifications = new Map(
    (await vitest.getRelevantTestSpecifications()).map((one) => [pathOf(one.moduleId), one]),
  )

  return {
    files: [...specifications.keys()].toSorted(),
    async run(files, { on, counts, alone, first, mostMs }) {
      vitest.provide('mutants', { on, counts })
      vitest.state.filesMap.clear()
      for (const { config } of [vitest, ...vitest.projects]) {
        config.isolate = alone
        config.bail = first ? 1 : 0
      }
      let hung = false
      const stop = () => void vitest.cancelCurrentRun('test-failure').catch(() => {})
      const timers = [
        setTimeout(() => {
          hung = true
          stop()
        }, mostMs),
        // Who is asked a second time is not waited for.
        setTimeout(stop, mostMs + 2000),
      ]
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
        files.flatMap((file) => specifications.get(file) ?? []),
      )
      timers.forEach(clearTimeout)
      process.exitCode = 0
      return {
        failed: testModules
          .filter((module) => module.state() === 'failed')
          .map((one) => pathOf(one.moduleId)),
        strays: hung ? [] : unhandledErrors.map(String),
        hung,
        times: new Map(
          testModules.map((module) => {
            const { duration, collectDuration, environmentSetupDuration, prepareDuration } =
              module.diagnostic()
            const took = duration + collectDuration + environmentSetupDuration + prepareDuration
            return [pathOf(module.moduleId), took]
          }),
        ),
        hits: new Map(testModules.map((module) => [pathOf(module.moduleId), module.meta().hits ?? {}])),
      }
    },
    close: () => vitest.close(),
  }
}
