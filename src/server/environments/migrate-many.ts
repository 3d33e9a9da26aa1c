import { BackupRefusedError } from '../backup/backup-refused.ts'
import { atMost } from '../db/at-most.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { KnownEnvironment } from '../db/environments/list-environments.ts'

export type MigrateMany = {
  known: readonly KnownEnvironment[]
  open(id: number): Promise<Environment>
  atOnce: number
  /** A line for each library that is done. */
  onProgress(line: string): void
}

/**
 * Brings each library to this version, all or nothing, so many at a time, and goes on past one that fails; answers what
 * is to be said at the end. Throws BackupRefusedError with the cause of each that failed.
 */
export async function migrateMany({ known, open, atOnce, onProgress }: MigrateMany): Promise<string> {
  const inTurn = atMost(atOnce)
  const failed: string[] = []
  let [done, migrated] = [0, 0]
  const migrateOne = async ({ id, name }: KnownEnvironment) => {
    const told = await open(id)
      .then(async (environment) => {
        await environment.close()
        if (!environment.isNew) return ' (déjà à jour)'
        migrated += 1
        return ''
      })
      .catch((error: unknown) => {
        failed.push(`${id}\t${name}\u202f: ${error instanceof Error ? error.message : String(error)}`)
        return ' (ÉCHEC)'
      })
    done += 1
    onProgress(`${done} sur ${known.length}\u202f: ${name}${told}`)
  }
  await Promise.all(known.map((one) => inTurn(() => migrateOne(one))))
  const said = `${counted(migrated, 'mise à jour', 'mises à jour')}, ${counted(known.length - migrated - failed.length, 'l’était déjà', 'l’étaient déjà')}.`
  if (failed.length === 0) return said
  throw new BackupRefusedError(
    [
      `${said} ${counted(failed.length, 'n’a pas pu l’être', 'n’ont pas pu l’être')}, et reste comme avant\u202f:`,
      ...failed,
    ].join('\n'),
  )
}

const counted = (count: number, one: string, several: string) =>
  count < 2 ? `${count === 0 ? 'aucune' : '1'} bibliothèque ${one}` : `${count} bibliothèques ${several}`
