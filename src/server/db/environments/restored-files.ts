import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { sql } from 'kysely'

import { syncDirectory } from '../engine/durable-file-system.ts'
import type { Db } from '../handles.ts'

/** Where a restore has made the environments whole, before they take their place. */
export const restoredDirectory = 'environments-restored'

/** The same for a restore of one. */
export const restoredDirectoryOf = (id: number) => `environment-${id}-restored`

/** Ends a restore cut between its two renamings, because a start would then make an empty library. */
export function finishDirectorySwap(dataDir: string): void {
  const current = join(dataDir, 'environments')
  putInPlace(join(dataDir, restoredDirectory), current)
  for (const name of readdirSync(dataDir)) {
    const id = /^environment-(\d{1,9})-restored$/.exec(name)?.[1]
    if (id !== undefined) putInPlace(join(dataDir, name), join(current, id))
  }
}

function putInPlace(restored: string, current: string): void {
  if (existsSync(current) || !existsSync(restored)) return
  renameSync(restored, current)
  syncDirectory(join(current, '..'))
  syncDirectory(join(restored, '..'))
}

/** A schema keeps its number when it is renamed; null where there is none. */
export async function schemaOid(db: Db, schema: string): Promise<number | null> {
  const { rows } = await sql<{ oid: number | null }>`select to_regnamespace(${schema})::oid as oid`.execute(
    db,
  )
  return rows[0]?.oid ?? null
}

/** Where a restore has made a library's files whole before its schema takes its place, so that a cut between the two is seen. */
export const restoredFiles = (id: number, oid: number | null, stamp: string) =>
  `environment-${id}-restored-${oid}-${stamp}`

const leftOf = (dataDir: string, id: number) =>
  readdirSync(dataDir).flatMap((name) => {
    const [, of, oid, stamp] = /^environment-(\d{1,9})-restored-(\d+)-([\d-]+)$/.exec(name) ?? []
    return Number(of) === id ? [{ left: join(dataDir, name), oid: Number(oid), stamp: String(stamp) }] : []
  })

/** Puts files in their place where their schema took its own, keeping the former ones; drops them where it did not. */
export function placeRestoredFiles(dataDir: string, id: number, current: number | null): void {
  const files = join(dataDir, 'environments', String(id))
  for (const { left, oid, stamp } of leftOf(dataDir, id)) {
    if (oid !== current) {
      rmSync(left, { recursive: true, force: true })
      continue
    }
    const kept = join(dataDir, `environments-before-${stamp}`, String(id))
    // Cut between the two renamings, the former ones are kept already, and what is here now is an opening's empty directory.
    const former = existsSync(kept) ? null : kept
    if (existsSync(files)) {
      if (former === null) rmSync(files, { recursive: true })
      else {
        mkdirSync(dirname(former), { recursive: true, mode: 0o700 })
        renameSync(files, former)
        syncDirectory(dirname(former))
      }
    }
    renameSync(left, files)
    syncDirectory(dirname(files))
    syncDirectory(dataDir)
  }
}

/** Ends a restore that was cut between a library's schema and its files; its caller holds the library's lock. */
export async function finishRestoredFiles(
  db: Db,
  { dataDir, id, schema }: { dataDir: string; id: number; schema: string },
): Promise<void> {
  if (leftOf(dataDir, id).length === 0) return
  await db.transaction().execute(async (trx) => {
    // Servers that open it at once wait here for each other.
    await sql`select from environment for update`.execute(trx)
    placeRestoredFiles(dataDir, id, await schemaOid(trx, schema))
  })
}
