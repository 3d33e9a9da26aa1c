// npm run mutants -- domain | offline | contract | a folder or file of them … [--sample 600] [--seed words] [--survivors] [--resume]
// npm run mutants -- verbs [words of their names or files …]
import { parseArgs } from 'node:util'

import { measure } from './measure.ts'
import { tryVerbs } from './try-verbs.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** At most so many of each folder, drawn by lot. */
    sample: { type: 'string' },
    seed: { type: 'string', default: 'comptoir' },
    /** Only those that no test killed last time. */
    survivors: { type: 'boolean', default: false },
    /** Goes on where the last run of the same mutants was cut off; the code must be the same. */
    resume: { type: 'boolean', default: false },
  },
})

const [first, ...words] = positionals
await (first === 'verbs' ? tryVerbs(words) : measure(positionals, values))
// A worker that was stopped in an endless loop may hold the process.
process.exit(0)
