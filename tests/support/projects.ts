import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** What `npm test` runs: needs nothing but this repository and takes minutes. */
export const quickProjects = ['plain', 'calls', 'screens', 'journeys'] as const

/** What `npm run test:all` adds: files of engines, a PostgreSQL server, calls at length, every form, every screen at every size, faults. */
const slowProjects = ['storage', 'postgres', 'sweeps', 'forms', 'walks', 'faults'] as const

export type ProjectName = (typeof quickProjects)[number] | (typeof slowProjects)[number]

/** What is decided by our own rules alone is tried on one engine; locks, races, sorts and storage on both. */
const onOneEngine = [
  /^tests\/(sight|security)\//,
  /^tests\/session\/(environment-image|change-environment-image|change-password|known-device|login-link|open-sessions|reset-password)\./,
  /^tests\/session\/(rights-matrix|seals|session-ends|sign-in)\./,
  /^tests\/offline\/(other-sites|refused-session)\./,
  /^tests\/conflicts\/(answers-add-up|beyond-bounds)\./,
  /^tests\/loans\/(bounds|loan-terms)\./,
  /^tests\/settings\/(own-filters|views)\./,
  /^tests\/(mail\/mail-calls|devices\/devices)\./,
  /^tests\/http\/(bad-input|cross-origin|https-only|metrics|packed|request-id|sites)\./,
  /^tests\/hostile\/no-secret-in-logs\./,
  /^tests\/environments\/(isolation|isolation-of-work)\./,
  /^tests\/events\/many-streams\./,
  /^tests\/demonstration\/demonstration-in-production\./,
  /^tests\/documentation\/calls\./,
]

/** What copies, moves, fills or kills the files of an engine that is a process of its own, or needs thousands of rows. */
const aboutStorage = [
  /^tests\/(backup|upgrade)\/.*\.db\.test\.ts$/,
  /^tests\/environments\/(copy-for-reads|environment-command|isolation-of-work|migrate-many|move|on-demand|shared-connections|slow-upload)\./,
  /^tests\/(imports\/shared-catalogues|stats\/slices)\./,
  /^tests\/db\/(data-directory-lock|database-address|deep-pages|embedded-engine|engine-death|first-start)\./,
  /^tests\/data-export\/.*\.db\.test\.tsx?$/,
  /^tests\/demonstration\/.*\.db\.test\.ts$/,
  /^tests\/erasure\/same-figures\./,
  /^tests\/(http\/health|import-files\/memory|installation\/doctor)\./,
]

/** Calls that are tried at length: every list and filter, every pair at once, files at random, races. And every angle of a label. */
const aboutEverything = [
  /^tests\/session\/sight-matrix\./,
  /^tests\/hostile\/(generated|concurrent-pairs|concurrent-moves|scans-among-reads)\./,
  /^tests\/scanner\/(every-angle|on-photographs)\./,
  /^tests\/(reservations\/at-once|events\/many-streams|start\/sample|db\/migrations)\./,
]

/** Every form and every right, each opened on its screen. */
const everyForm = /^tests\/(forms\/every-form|letter\/rights)\.db\.test\.tsx$/

/** Which projects run a file, told by its name and place alone. */
export function projectsOf(file: string): ProjectName[] {
  if (/^tests\/(faults\/|hostile\/others-are-served\.)/.test(file)) return ['faults']
  if (file.startsWith('tests/walks/')) return ['walks']
  if (file.startsWith('tests/journeys/')) return ['journeys']
  if (everyForm.test(file)) return ['forms']
  const own = aboutStorage.some((place) => place.test(file))
    ? 'storage'
    : aboutEverything.some((place) => place.test(file))
      ? 'sweeps'
      : null
  if (file.endsWith('.db.test.tsx')) return [own ?? 'screens']
  if (!file.endsWith('.db.test.ts')) return [own ?? 'plain']
  return onOneEngine.some((place) => place.test(file)) ? [own ?? 'calls'] : [own ?? 'calls', 'postgres']
}

/** Every file of tests, as a path from the repository's root. */
export const testFiles: readonly string[] = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => join('tests', file).split(sep).join('/'))
  .toSorted()

export const filesOf = (project: ProjectName): string[] =>
  testFiles.filter((file) => projectsOf(file).includes(project))
