import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

import { inTurn } from './support/in-turn.ts'
import { keepTemporaryFilesInMemory } from './support/memory-disk.ts'
import { ByProject } from './support/by-project.ts'
import { type ProjectName, filesOf } from './support/projects.ts'
import { redTests, secondTries } from './support/second-tries.ts'
import { slowestFiles } from './support/slowest-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string }
const support = (name: string) => `tests/support/${name}.ts`

keepTemporaryFilesInMemory()

/** What `npm test` leaves out and drives pages, browsers or faults is tried twice by CI, and named (decision 0062). */
const retry = process.env['TRY_TWICE'] === '1' ? 1 : 0

const project = (
  name: ProjectName,
  test: NonNullable<TestProjectInlineConfiguration['test']>,
): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, include: inTurn(name, filesOf(name)), ...test },
})

const onCalls: TestProjectInlineConfiguration['test'] = {
  isolate: false,
  setupFiles: [support('set-up-worker')],
  globalSetup: [support('build-server-once'), support('prepare-databases')],
  env: { TEST_ENGINE: 'embedded' },
}

const onScreens: TestProjectInlineConfiguration['test'] = {
  isolate: false,
  alias: [{ find: /^@testing-library\/user-event$/, replacement: `${root}tests/support/user-event.ts` }],
  setupFiles: [support('set-up-worker')],
  globalSetup: [support('prepare-databases')],
  // SHIPPED_REACT=0 is React for developers, which says its faults in words.
  env: { TEST_ENGINE: 'embedded', SHIPPED_REACT: process.env['SHIPPED_REACT'] ?? '1' },
  // An element that should not be there is told by its beginning.
  diff: { maxDepth: 2, truncateThreshold: 30 },
}

export default defineConfig({
  root,
  plugins: [react()],
  define: { __APP_VERSION__: JSON.stringify(version) },
  test: {
    // Each has an engine beside it, of some hundred megabytes.
    maxWorkers: Math.min(Math.max(availableParallelism(), 2), 4),
    experimental: { fsModuleCache: true },
    sequence: { sequencer: ByProject },
    // What failed is said; the whole page around it would hide it. `screen.debug()` prints as many signs as the shell asks for.
    env: { DEBUG_PRINT_LIMIT: process.env['DEBUG_PRINT_LIMIT'] ?? '0' },
    // Of a screen on a busy machine; what takes longer is told with the slowest files.
    slowTestThreshold: 20_000,
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // What is waited for comes, and later where the machine is busy.
    expect: { poll: { timeout: 90_000 } },
    reporters: ['default', secondTries, slowestFiles, redTests],
    projects: [
      project('plain', { isolate: false }),
      project('calls', onCalls),
      project('sweeps', onCalls),
      project('storage', {
        isolate: false,
        setupFiles: [support('set-up-worker')],
        globalSetup: [support('build-server-once'), support('prepare-databases')],
        env: { TEST_ENGINE: 'embedded', TEST_STORAGE: 'disk' },
        // One of them starts several engines, each a process.
        testTimeout: 300_000,
      }),
      project('postgres', {
        isolate: false,
        setupFiles: [support('set-up-worker')],
        globalSetup: [support('build-server-once'), support('prepare-databases')],
        env: { TEST_ENGINE: 'postgres' },
        testTimeout: 300_000,
      }),
      project('screens', onScreens),
      project('forms', { ...onScreens, retry }),
      project('journeys', {
        isolate: false,
        env: { SHARED_BROWSER: '1' },
        testTimeout: 300_000,
        globalSetup: [support('build-once'), support('prepare-databases')],
      }),
      project('walks', {
        retry,
        env: { SHARED_BROWSER: '1' },
        // One of them goes through every screen.
        testTimeout: 900_000,
        globalSetup: [support('build-once'), support('prepare-both-databases')],
      }),
      project('faults', {
        retry,
        testTimeout: 300_000,
        globalSetup: [
          support('build-once'),
          'tests/faults/build-server.ts',
          support('prepare-both-databases'),
        ],
      }),
    ],
  },
})
