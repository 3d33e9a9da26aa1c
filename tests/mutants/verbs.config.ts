import { resolve } from 'node:path'

import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import ofTheProduct from '../../vite.config.ts'
import { serverVerbs } from './server-verbs.ts'

/** The mutant that MUTANT names is put in the place of its text as it is read; no file is written. */
const mutant: Plugin = {
  name: 'mutant',
  enforce: 'pre',
  transform(code, id) {
    const verb = serverVerbs.find(({ name }) => name === process.env['MUTANT'])
    return verb && resolve(verb.file) === id ? code.replace(verb.before, () => verb.after) : undefined
  },
}

export default defineConfig((env) => {
  const config = ofTheProduct(env)
  return { ...config, plugins: [mutant, ...(config.plugins ?? [])] }
})
