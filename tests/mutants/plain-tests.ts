import { relative, resolve, sep } from 'node:path'

import { createVitest } from 'vitest/node'

import type { Switches } from './switches.ts'

export type Run = {
  /** Files with a test that failed, or that could not be read. */
  failed: string[]
  /** Whether something threw outside of any test. */
  isAstray: boolean
  /** Whether a test failed after so long that it may have waited in vain for something to come. */
  hasWaited: boolean
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

/** What waits in a test gives up after a second. */
const waitedMs = 900

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
          // As if it stood in the file: what comes before other transforms is not before Vitest's own.
          load: (id) => byPath.get(id),
          // The same mutant dies or survives whenever it is tried.
          transform: (code) =>
            /^import .* from 'fast-check'$/m.test(code)
              ? `${code}\nimport { configureGlobal as seeded } from 'fast-check'\nseeded({ seed: 1 })\n`
              : undefined,
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
      const failed = testModules.filter((module) => module.state() === 'failed')
      const durations = failed
        .flatMap((module) => [...module.children.allTests('failed')])
        .map((test) => test.diagnostic()?.duration ?? 0)
      return {
        failed: failed.map((module) => pathOf(module.moduleId)),
        hasWaited: durations.some((took) => took >= waitedMs),
        isAstray: !hung && unhandledErrors.length > 0,
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
