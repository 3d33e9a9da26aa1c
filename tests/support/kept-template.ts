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
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'

import { startEmbeddedEngine } from '../../src/server/db/embedded-engine.ts'
import { openEnvironment, prepareDataDirectory } from '../../src/server/db/environment.ts'
import { furnishTemplate } from './furnish-template.ts'

/** Kept from run to run, because making it takes longer than many a file of tests. */
const place = 'node_modules/.cache/comptoir-tests'

/** What a furnished library is made from. */
const sources = [
  'src/server',
  'src/domain',
  'src/contract',
  'tests/support/kept-template.ts',
  'tests/support/test-library.ts',
  'package-lock.json',
]

/** Engines’ files for `embeddedTemplate` (databases.ts), made anew when what makes them has changed. */
export async function keptTemplate(): Promise<string> {
  const name = nameOfSources()
  const kept = join(place, name)
  if (existsSync(kept)) return kept
  mkdirSync(place, { recursive: true })
  const made = await mkdtemp(join(place, 'unfinished-'))
  const bare = await startEmbeddedEngine(join(made, 'bare'))
  await bare.stop()
  const dataDir = join(made, 'furnished')
  await prepareDataDirectory({ dataDir, databaseUrl: null })
  cpSync(join(made, 'bare'), join(dataDir, 'environments/1/database'), { recursive: true })
  await furnishTemplate(await openEnvironment({ dataDir, databaseUrl: null }, 1))
  try {
    renameSync(made, kept)
  } catch (error) {
    // Another run made the same meanwhile.
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(kept)) throw error
  }
  // Another run may be making it, unless it gave up long ago.
  const isAnothers = (other: string) =>
    other.startsWith('unfinished-') && Date.now() - statSync(join(place, other)).mtimeMs < 3_600_000
  for (const other of readdirSync(place))
    if (other !== name && !isAnothers(other)) rmSync(join(place, other), { recursive: true, force: true })
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
