import { opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db } from '../db/handles.ts'
import { unlessGone } from '../files/unless-gone.ts'

/** A change under way keeps its picture before it is committed. */
const restMs = 24 * 3600_000
const atOnce = 500

/** Deletes the covers that no reference has any more, such as replaced ones. */
export async function sweepCovers(db: Db, files: string, now: Date): Promise<void> {
  const directory = join(files, 'covers')
  const entries = await opendir(directory).catch(unlessGone)
  let names: string[] = []
  for await (const { name } of entries ?? []) {
    names.push(name)
    if (names.length < atOnce) continue
    await sweepSome(db, directory, names, now)
    names = []
  }
  await sweepSome(db, directory, names, now)
}

async function sweepSome(db: Db, directory: string, names: readonly string[], now: Date): Promise<void> {
  if (names.length === 0) return
  const { rows } = await sql<{ name: string }>`
    select kept.name from unnest(${names}::text[]) as kept (name)
    where not exists (
      select from "references" r
      where r.deleted_at is null and r.id = substring(kept.name from '^([0-9]{1,9})-')::int
        and kept.name like r.id || '-' || r.image_version || '-%')
    and not exists (
      select from found_images f
      where f.reference = substring(kept.name from '^([0-9]{1,9})-')::int
        and kept.name like f.reference || '-' || f.image_version || '-%')`.execute(db)
  for (const { name } of rows) {
    const path = join(directory, name)
    // Another process may have swept it.
    const found = await stat(path).catch(unlessGone)
    if (found && now.getTime() - found.mtimeMs > restMs) await rm(path, { force: true })
  }
}
