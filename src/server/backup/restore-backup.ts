import type { StorageSettings } from '../db/environment.ts'
import { migrations as ours } from '../db/migrations/migrations.ts'
import { BackupRefusedError } from './backup-refused.ts'
import { readBackup } from './backup-reader.ts'
import { type AskPassphrase, type BackupSource, openBackupSource } from './backup-source.ts'
import { type EnvironmentLoader, type FreshEnvironment, loadEnvironment } from './load-environment.ts'
import { openRestorePlace, type RestorePlace } from './restore-place.ts'

export type Restored = {
  made_at: string
  environments: number[]
  /** Where the former data is kept, or null when there was none. */
  kept: string | null
}

/** Restores a whole backup or nothing; throws BackupRefusedError, DataDirectoryBusyError. */
export async function restoreBackup(
  path: string,
  storage: StorageSettings,
  { replace, ask = nobody, now = new Date() }: { replace: boolean; ask?: AskPassphrase; now?: Date },
): Promise<Restored> {
  const source = await openBackupSource(path, ask)
  const { made_at, environments } = await checkBackup(source)
  const place = await openRestorePlace(storage, replace)
  try {
    await build(source, place)
    const kept = await place.swap(now.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-'))
    return { made_at, environments, kept }
  } finally {
    await place.close()
  }
}

const nobody: AskPassphrase = () => Promise.resolve(null)

async function checkBackup(source: BackupSource): Promise<Pick<Restored, 'made_at' | 'environments'>> {
  const { path } = source
  let made_at = ''
  const environments: number[] = []
  const inhabited = new Set<number>()
  let table: string | null = null
  for await (const part of readBackup(source)) {
    if (!('line' in part)) {
      if (table === 'users') inhabited.add(environments.at(-1) ?? 0)
      continue
    }
    table = 'table' in part.line ? part.line.table : null
    if ('comptoir' in part.line) made_at = part.line.made_at
    if (!('environment' in part.line)) continue
    environments.push(part.line.environment)
    const unknown = part.line.migrations.filter((name) => !Object.hasOwn(ours, name))
    if (unknown.length > 0) throw newer(path, unknown)
  }
  if (environments.length === 0 || environments.some((id) => !inhabited.has(id))) {
    throw new BackupRefusedError(
      `La sauvegarde «\u202f${path}\u202f» est vide\u202f: aucun utilisateur ne s’y trouve. Rien n’a été restauré.`,
    )
  }
  return { made_at, environments }
}

const newer = (path: string, unknown: readonly string[]) =>
  new BackupRefusedError(
    `La sauvegarde «\u202f${path}\u202f» a été faite par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
      'installez cette version, ou reprenez une sauvegarde plus ancienne.',
  )

async function build(source: BackupSource, place: RestorePlace): Promise<void> {
  let current: { fresh: FreshEnvironment; loader: EnvironmentLoader | null } | null = null
  const leave = async () => {
    const left = current
    current = null
    await left?.loader?.close()
    await left?.fresh.close()
  }
  try {
    for await (const part of readBackup(source)) {
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
