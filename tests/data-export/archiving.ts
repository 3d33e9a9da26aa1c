import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Environment, openEnvironment } from '../../src/server/db/environments/environment.ts'
import { seedEnvironment } from '../../src/server/seed-environment.ts'
import { makeArchive } from '../../src/server/data-export/make-archive.ts'
import { emptyStorage } from '../support/databases.ts'

/** Places that are dropped together. */
export function openPlaces() {
  const drops: (() => Promise<void>)[] = []
  return {
    async directory(): Promise<string> {
      const path = await mkdtemp(join(tmpdir(), 'comptoir-leaving-'))
      drops.push(() => rm(path, { recursive: true, force: true }))
      return path
    },
    /** An installation as it is after its first start. */
    async installation(): Promise<Environment> {
      const { settings, drop } = await emptyStorage()
      const environment = await openEnvironment(settings, 1)
      drops.push(drop, () => environment.close())
      await seedEnvironment(environment.db, 'mot-de-passe-admin')
      return environment
    },
    async drop() {
      for (const drop of drops.splice(0).reverse()) await drop()
    },
  }
}

/** An archive of what stands there now; answers its path. */
export async function archiveOf(
  { db, files }: Environment,
  directory: string,
  now = new Date('2026-03-10T09:00:00Z'),
): Promise<string> {
  const path = join(directory, `${randomUUID()}.zip`)
  await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((trx) => makeArchive({ trx, files, path, now }))
  return path
}
