import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { type StorageSettings } from '../db/environments/environment.ts'
import { embeddedEnvironmentIds, idsAt } from '../db/environments/environment-ids.ts'
import { openPool } from '../db/connections/pool.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { type BackupWriter, writeBackupFile } from './backup-writer.ts'
import { nobodyThere } from './environment-hosts.ts'
import { atOneInstant, dumpFiles, dumpSchema } from './dump-environment.ts'
import { openStillEngine } from './still-copy.ts'

/** Writes each environment, or that `only` one, as of one instant while the server works; throws BackupRefusedError. */
export async function makeBackup(
  path: string,
  storage: StorageSettings,
  passphrase: string | null = null,
  only: number | null = null,
): Promise<void> {
  const target = { path: resolve(path), passphrase, only }
  if (storage.databaseUrl === null) await backUpEmbedded(target, storage.dataDir)
  else await backUpPostgres(target, storage.databaseUrl, storage.dataDir)
}

const directoryOf = (dataDir: string, id: number) => resolve(dataDir, 'environments', String(id))

type Target = { path: string; passphrase: string | null; only: number | null }

/** Those of `there` that are asked for; throws BackupRefusedError. */
function asked(there: readonly number[], { only }: Target, place: string): readonly number[] {
  if (there.length === 0) throw nothingToSave(place)
  if (only === null) return there
  if (!there.includes(only)) throw nobodyThere(only)
  return [only]
}

async function backUpEmbedded(target: Target, dataDir: string): Promise<void> {
  // A directory beside a PostgreSQL database has environments with files alone.
  const there = (await embeddedEnvironmentIds(dataDir)).filter((id) =>
    existsSync(join(directoryOf(dataDir, id), 'database', 'postgres')),
  )
  const ids = asked(there, target, dataDir)
  await writeBackupFile(target.path, target.passphrase, async (writer) => {
    for (const id of ids) await backUpOneEmbedded(id, directoryOf(dataDir, id), writer)
  })
}

async function backUpOneEmbedded(id: number, directory: string, writer: BackupWriter): Promise<void> {
  const still = await openStillEngine(directory)
  try {
    const { pool, db } = openPool({ ...still.engine.connection, max: 1 })
    await atOneInstant(db, (trx) => dumpSchema(trx, { id, schema: 'public' }, writer)).finally(() =>
      pool.end(),
    )
  } finally {
    await still.close()
  }
  await dumpFiles(directory, writer)
}

async function backUpPostgres(target: Target, databaseUrl: string, dataDir: string): Promise<void> {
  const ids = asked(await idsAt(databaseUrl), target, new URL(databaseUrl).pathname.slice(1))
  const { pool, db } = openPool({ connectionString: databaseUrl, max: 1 })
  try {
    await writeBackupFile(target.path, target.passphrase, (writer) =>
      atOneInstant(db, async (trx) => {
        for (const id of ids) {
          await dumpSchema(trx, { id, schema: `env_${id}` }, writer)
          await dumpFiles(directoryOf(dataDir, id), writer)
        }
      }),
    )
  } finally {
    await pool.end()
  }
}

const nothingToSave = (place: string) =>
  new BackupRefusedError(`Il n’y a rien à sauvegarder dans «\u202f${place}\u202f».`)
