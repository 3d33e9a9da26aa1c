import { createHash } from 'node:crypto'
import { resolve } from 'node:path'

import { sql } from 'kysely'

import { BackupRefusedError } from '../backup/backup-refused.ts'
import { type Counted, copyEnvironment } from '../backup/copy-environment.ts'
import { nobodyThere } from '../backup/environment-hosts.ts'
import { inhabitedIds } from '../backup/restore-place.ts'
import type { StorageSettings } from '../db/environment.ts'
import { openMachines } from '../db/machines.ts'
import { asideStamp } from '../db/kept-aside.ts'
import { isSamePlace } from './same-database.ts'
import { withSource } from './move-source.ts'
import { withTarget } from './move-target.ts'

export type Move = {
  from: StorageSettings
  to: StorageSettings
  id: number
  embeddedLimit: number
  now?: Date
  /** Called once it is whole there, and once it is set aside here: where tests cut it short. */
  onPhase?: (phase: 'whole' | 'aside') => void
}

export type Moved = {
  /** Its number there. */
  id: number
  /** Where the former one is kept, and what was copied; null where a move that was cut short was only ended. */
  kept: string | null
  counted: Counted | null
}

/**
 * Moves a library to another database or directory: closed for everybody while it is copied, then set aside here before
 * it is put in place there, so that it is never served twice. Begun again after a cut, it ends what was begun. Throws
 * BackupRefusedError or DataDirectoryBusyError.
 */
export async function moveEnvironment({
  from: given,
  to: wanted,
  id,
  embeddedLimit,
  now = new Date(),
  onPhase,
}: Move): Promise<Moved> {
  const [from, to] = [await reached(given), await reached(wanted)]
  if (await isSamePlace(from, to)) throw new BackupRefusedError('Cette bibliothèque y est déjà.')
  const key = createHash('sha256')
    .update(from.databaseUrl ?? from.dataDir)
    .digest('hex')
    .slice(0, 8)
  const stamp = asideStamp(now)
  return withTarget(to, { id, key, embeddedLimit }, async (target) => {
    if (!(await inhabitedIds(from)).includes(id)) {
      if (!(await target.isWhole())) throw nobodyThere(id)
      return { id: await target.putInPlace(), kept: null, counted: null }
    }
    await target.discard()
    const { kept, counted } = await withSource(from, id, async (source) => {
      try {
        const counted = await source.read(async (trx, copied) => {
          const { rows } = await sql<{ hosts: string[] }>`
            select hosts from ${sql.id(copied.schema, 'environment')}`.execute(trx)
          await target.requireHosts(rows[0]?.hosts ?? [])
          const fresh = await target.build()
          return copyEnvironment(trx, copied, fresh).finally(fresh.close)
        })
        await target.tellWhole()
        onPhase?.('whole')
        return { kept: await source.setAside(stamp), counted }
      } catch (error) {
        // It is still here, so what is there is of no use.
        if ((await inhabitedIds(from)).includes(id)) await target.discard()
        throw error
      }
    })
    onPhase?.('aside')
    return { id: await target.putInPlace(), kept, counted }
  })
}

/** Of several machines, the one that takes writes. */
const reached = async ({ dataDir, databaseUrl, ...rest }: StorageSettings): Promise<StorageSettings> => ({
  ...rest,
  dataDir: resolve(dataDir),
  databaseUrl: databaseUrl && (await openMachines(databaseUrl).writable()),
})
