import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

import { filesOf } from '../support/projects.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** They judge texts, builds or tables of the whole repository, or start a browser or a server. */
const others = /^tests\/(accessibility|architecture|bench|build|citus|db|documentation|hostile|mutants)\//

/** The plain tests that need no server, no database, no browser, no build, and judge no source text. */
export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(version) },
  test: {
    include: filesOf('plain').filter((file) => !others.test(file)),
    env: { DEBUG_PRINT_LIMIT: '0' },
    pool: 'threads',
    maxWorkers: 1,
    // A mutant that makes a test wait for ever is told from a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
})
