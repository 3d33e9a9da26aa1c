import type { StorageSettings } from '../db/environment.ts'
import { migrations as ours } from '../db/migrations/migrations.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { readBackup } from './backup-reader.ts'
import { type EnvironmentLoader, type FreshEnvironment, loadEnvironment } from './load-environment.ts'
import { openRestorePlace, type RestorePlace } from './restore-place.ts'

export type Restored = {
  /** When the backup was made, as an ISO instant. */
  made_at: string
  environments: number[]
  /** Where what was replaced is kept; null when there was nothing. */
  kept: string | null
}

/**
 * Restores a backup of either engine into the storage's engine. The file is read to its end before anything is touched, everything is
 * built aside, and only when it is whole does it take its place. Throws BackupRefusedError, DataDirectoryBusyError.
 */
export async function restoreBackup(
  path: string,
  storage: StorageSettings,
  { replace, now = new Date() }: { replace: boolean; now?: Date },
): Promise<Restored> {
  const { made_at, environments } = await checkBackup(path)
  const place = await openRestorePlace(storage, replace)
  try {
    await build(path, place)
    const kept = await place.swap(now.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-'))
    return { made_at, environments, kept }
  } finally {
    await place.close()
  }
}

/** Reads a backup to its end; refuses what is cut, altered, of a newer version, or holds nothing. */
export async function checkBackup(path: string): Promise<Pick<Restored, 'made_at' | 'environments'>> {
  let made_at = ''
  const environments: number[] = []
  for await (const part of readBackup(path)) {
    if (!('line' in part)) continue
    if ('comptoir' in part.line) made_at = part.line.made_at
    if (!('environment' in part.line)) continue
    environments.push(part.line.environment)
    const unknown = part.line.migrations.filter((name) => !Object.hasOwn(ours, name))
    if (unknown.length > 0) throw newer(path, unknown)
  }
  if (environments.length === 0) throw new BackupRefusedError(`La sauvegarde «\u202f${path}\u202f» est vide.`)
  return { made_at, environments }
}

const newer = (path: string, unknown: readonly string[]) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» a été faite par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
      'installez cette version, ou reprenez une sauvegarde plus ancienne.',
  )

async function build(path: string, place: RestorePlace): Promise<void> {
  let current: { fresh: FreshEnvironment; loader: EnvironmentLoader | null } | null = null
  const leave = async () => {
    const left = current
    current = null
    await left?.loader?.close()
    await left?.fresh.close()
  }
  try {
    for await (const part of readBackup(path)) {
      if ('rows' in part) await current?.loader?.rows(part.rows)
      else if ('environment' in part.line) {
        await current?.loader?.finish()
        await leave()
        current = { fresh: await place.open(part.line.environment), loader: null }
        current.loader = await loadEnvironment(current.fresh, part.line.migrations)
      } else if ('end' in part.line) await current?.loader?.finish()
      else if (!('comptoir' in part.line)) await current?.loader?.open(part.line)
    }
  } finally {
    await leave()
  }
}
