import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import type { Db, Trx } from '../db/handles.ts'
import { BackupRefusedError } from './backup-refused.ts'
import type { BackupWriter } from './backup-writer.ts'
import { dumpFiles, dumpSchema } from './dump-environment.ts'
import { type EnvironmentLoader, type FreshEnvironment, loadEnvironment } from './load-environment.ts'
import { storedTables } from './schema-reading.ts'

export type Copied = { id: number; schema: string; files: string }
export type Counted = { rows: number; files: number }

const pulseMs = 5_000

/**
 * Copies a library whole, sessions and keys with it, as a backup and its restore would, and counts it on both sides.
 * Throws BackupRefusedError where they differ.
 */
export async function copyEnvironment(trx: Trx, from: Copied, into: FreshEnvironment): Promise<Counted> {
  let loader: EnvironmentLoader | null = null
  const loading = (): EnvironmentLoader => {
    if (loader === null) throw new Error('rows before their environment')
    return loader
  }
  const writer: BackupWriter = {
    async line(line) {
      if ('environment' in line) loader = await loadEnvironment(into, line.migrations, true)
      else await loading().open(line)
    },
    rows: (rows) => (rows.length === 0 ? Promise.resolve() : loading().rows(rows)),
  }
  // The embedded engine ends a transaction that says nothing for half a minute, and the other side may take longer for a step.
  const pulse = setInterval(() => void sql`select 1`.execute(trx).catch(() => undefined), pulseMs)
  try {
    await dumpSchema(trx, { ...from, isWhole: true }, writer)
    await dumpFiles(from.files, writer)
    await loading().finish()
  } finally {
    clearInterval(pulse)
    await (loader as EnvironmentLoader | null)?.close()
  }
  const [there, here] = [await countsOf(trx, from), await countsOf(into.db, into)]
  for (const [name, count] of there)
    if (here.get(name) !== count)
      throw new BackupRefusedError(
        `La copie diffère\u202f: ${name} compte ${count} d’un côté et ${here.get(name) ?? 0} de l’autre. Rien n’a été déplacé.`,
      )
  const sum = (isFile: boolean) =>
    [...there].reduce((total, [name, count]) => (name.includes(':') === isFile ? total + count : total), 0)
  return { rows: sum(false), files: [...there.keys()].filter((name) => name.includes(':')).length }
}

/** Rows of each table, and bytes of each file. */
async function countsOf(
  db: Db | Trx,
  { schema, files }: Omit<Copied, 'id'>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of await storedTables(db, schema, true)) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.id(schema, name)}`.execute(
      db,
    )
    counts.set(name, rows[0]?.n ?? 0)
  }
  const entries = await readdir(files, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const inside = path.slice(files.length + 1)
    if (!entry.isFile() || /^(database|archives)(\/|\\|$)/.test(inside)) continue
    counts.set(`fichier : ${inside}`, (await stat(path)).size)
  }
  return counts
}
