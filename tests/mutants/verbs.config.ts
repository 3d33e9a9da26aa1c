import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import suite from '../vitest.config.ts'
import { serverVerbs } from './server-verbs.ts'

/** The text with the mutant that MUTANT names is read for its file; no file is written. */
const mutant: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  load(id) {
    const verb = serverVerbs.find(({ name }) => name === process.env['MUTANT'])
    return verb && resolve(verb.file) === id
      ? readFileSync(id, 'utf8').replace(verb.before, () => verb.after)
      : undefined
  },
}

export default defineConfig({
  ...suite,
  plugins: [mutant, ...(suite.plugins ?? [])],
  // A mutant that was kept would be met by the next run.
  test: { ...suite.test, experimental: { fsModuleCache: false } },
})
