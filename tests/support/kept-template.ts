import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'

import { startEmbeddedEngine } from '../../src/server/db/engine/embedded-engine.ts'
import { openEnvironment, prepareDataDirectory } from '../../src/server/db/environments/environment.ts'
import { seedTemplate } from './seed-template.ts'

/** Kept from run to run, because making it takes longer than many a file of tests. */
const place = 'node_modules/.cache/comptoir-tests'

const day = 86_400_000

/** What a furnished library is made from. */
const sources = [
  'src/server',
  'src/domain',
  'src/contract',
  'tests/support/seed-template.ts',
  'tests/support/kept-template.ts',
  'tests/support/test-library.ts',
  'package-lock.json',
]

/** Engines’ files for `embeddedTemplate` (databases.ts), made anew when what makes them has changed. */
export async function keptTemplate(): Promise<string> {
  const name = nameOfSources()
  const kept = join(place, name)
  if (existsSync(kept)) {
    utimesSync(kept, new Date(), new Date())
    return kept
  }
  mkdirSync(place, { recursive: true })
  const made = await mkdtemp(join(place, 'unfinished-'))
  const bare = await startEmbeddedEngine(join(made, 'bare'))
  await bare.stop()
  const dataDir = join(made, 'furnished')
  await prepareDataDirectory({ dataDir, databaseUrl: null })
  cpSync(join(made, 'bare'), join(dataDir, 'environments/1/database'), { recursive: true })
  await seedTemplate(await openEnvironment({ dataDir, databaseUrl: null }, 1))
  try {
    renameSync(made, kept)
  } catch (error) {
    // Another run made the same meanwhile.
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  // Another run may be copying from it, or making it.
  const isOld = (other: string) => {
    const found = statSync(join(place, other), { throwIfNoEntry: false })
    return found !== undefined && Date.now() - found.mtimeMs > day
  }
  for (const other of readdirSync(place))
    if (isOld(other)) rmSync(join(place, other), { recursive: true, force: true })
  return kept
}

function nameOfSources(): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const files = source.includes('.')
      ? [source]
      : readdirSync(source, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .toSorted()
          .map((name) => join(source, name))
    for (const file of files) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}
