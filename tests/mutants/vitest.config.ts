import { readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** The plain tests that need no server, no database, no browser, no build, and judge no source text. */
export default defineConfig({
  define: { __APP_VERSION__: JSON.stringify(version) },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: [
      '**/*.db.test.*',
      'tests/{accessibility,architecture,bench,build,citus,db,documentation,faults,hostile,journeys}/**',
    ],
    env: { DEBUG_PRINT_LIMIT: '0' },
    pool: 'threads',
    maxWorkers: 1,
    // A mutant that makes a test wait for ever is told from a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
  },
})
