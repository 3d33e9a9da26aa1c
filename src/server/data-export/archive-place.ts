import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'
import { unlessGone } from '../files/unless-gone.ts'

/** A library's whole data does not lie about. */
export const keptHours = 24

/** Where archives lie among the environment's files; no backup takes them along. */
const directoryOf = (files: string) => join(files, 'archives')
export const pathOfArchive = (files: string, place: string) => join(directoryOf(files), `${place}.zip`)

/** A path for a new archive, for this account alone. */
export async function placeForArchive(files: string, place: string): Promise<string> {
  await mkdir(directoryOf(files), { recursive: true, mode: 0o700 })
  const path = pathOfArchive(files, place)
  // What an attempt that was cut short has left.
  await rm(path, { force: true })
  return path
}

/** Forgets archives after their day, and files that no archive has. */
export async function sweepArchives(db: Db, files: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * 3600_000).toISOString()
  await db.deleteFrom('archives').where('ended_at', '<', before).execute()
  const names = (await readdir(directoryOf(files)).catch(unlessGone)) ?? []
  if (names.length === 0) return
  // Read after the files: the row of one is written before it.
  const { rows } = await sql<{ place: string }>`select place::text as place from archives`.execute(db)
  const known = new Set(rows.map(({ place }) => `${place}.zip`))
  for (const name of names) if (!known.has(name)) await rm(join(directoryOf(files), name), { force: true })
}
