// `npm test`, `npm run test:all` and `npm run test:near`: the first argument says which, the others are vitest's.
import { parseCLI, startVitest } from 'vitest/node'

import { projectsOf, quickProjects, testFiles } from './support/projects.ts'

const [which = 'quick', ...args] = process.argv.slice(2)
const { filter, options } = parseCLI(['vitest', 'run', ...args])
const named = options.project === undefined ? [] : [options.project].flat()
const wanted: readonly string[] = named.length > 0 ? named : which === 'all' ? [] : quickProjects
const isWanted = (file: string) =>
  wanted.length === 0 || projectsOf(file).some((project) => wanted.includes(project))

// Vitest would say « No test files found » of a file that another project has.
const meant = testFiles.filter((file) => filter.some((part) => file.includes(part)))
const others = meant.filter((file) => !isWanted(file))
if (others.length > 0) {
  const elsewhere = others.map((file) => `  ${projectsOf(file).join(', ')}  ${file}\n`).join('')
  process.stderr.write(
    `Not run, for other projects than ${wanted.join(', ')} have it:\n${elsewhere}` +
      `Run it with: npm run test:all -- ${filter.join(' ')}\n`,
  )
  if (others.length === meant.length) process.exit(1)
}

const vitest = await startVitest('test', filter, {
  ...options,
  config: 'tests/vitest.config.ts',
  watch: false,
  ...(wanted.length > 0 ? { project: [...wanted] } : {}),
  ...(which === 'near' && options.changed === undefined ? { changed: true, passWithNoTests: true } : {}),
})
await vitest?.close()
