import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startEmbeddedEngine } from '../../../src/server/db/embedded-engine.ts'
import { migrate } from '../../../src/server/db/migrate.ts'
import { migrations } from '../../../src/server/db/migrations/migrations.ts'
import { onSchema, openPool } from '../../../src/server/db/pool.ts'
import { inMs, type Section, skipped, type Table } from '../section.ts'
import { dropPostgres, type Engine, findPostgres, makePostgres } from './bench-library.ts'
import { fillLibrary } from './fill-library.ts'
import { benchSize } from './scale-section.ts'

/** The last migration of the version before this one. */
const before = '0020-new-keys'

/** How long a library of this size waits at its first start with a new version. */
export const migrationsSection: Section = {
  name: 'migrations',
  async *run() {
    if ((await findPostgres()) === null)
      yield skipped('Migrations on PostgreSQL', 'PostgreSQL is not reachable')
    else yield await measure('PostgreSQL')
    yield await measure('embedded')
  },
}

async function measure(engine: Engine): Promise<Table> {
  const directory = await mkdtemp(join(tmpdir(), 'comptoir-bench-'))
  const name = `comptoir_bench_migrations_${process.pid}`
  const embedded = engine === 'embedded' ? await startEmbeddedEngine(join(directory, 'database')) : null
  const schema = embedded ? 'public' : 'env_1'
  const { pool, db } = openPool(
    embedded
      ? { ...embedded.connection, max: 2 }
      : { connectionString: await makePostgres(name), ...onSchema(schema), max: 2 },
  )
  try {
    const names = Object.keys(migrations).sort()
    const upTo = (last: string) =>
      Object.fromEntries(names.filter((one) => one <= last).map((one) => [one, migrations[one]!]))
    await migrate(db, schema, upTo(before))
    await pool.query(`insert into sites (name) values ('Site principal')`)
    await fillLibrary(pool, benchSize)
    const rows: string[][] = []
    let all = 0
    for (const one of names.filter((other) => other > before)) {
      const from = performance.now()
      await migrate(db, schema, upTo(one))
      const took = performance.now() - from
      all += took
      rows.push([one, `${inMs(took)} ms`])
    }
    return {
      title: `Migrations since ${before}, ${engine}, ${benchSize.loans.toLocaleString('en')} loans`,
      columns: ['migration', 'took'],
      rows: [...rows, ['all of them', `${(all / 1000).toFixed(1)} s`]],
    }
  } finally {
    await pool.end()
    await embedded?.stop()
    if (!embedded) await dropPostgres(name)
    await rm(directory, { recursive: true, force: true })
  }
}
