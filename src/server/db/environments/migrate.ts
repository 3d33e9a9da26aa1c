import { type Migration, Migrator, sql } from 'kysely'

import type { Db, Trx } from '../handles.ts'
import { isTooOld, lastBeforeBaseline, migrations as ours, namesOfToday } from '../migrations/migrations.ts'
import { gather } from './distribution.ts'

const extensions = ['pg_trgm', 'unaccent', 'btree_gist', 'citext']

export class DatabaseAheadError extends Error {
  override readonly name = 'DatabaseAheadError'
  constructor(unknown: readonly string[]) {
    super(
      `La base a été mise à jour par une version plus récente de Comptoir (${unknown.join(', ')})\u202f: ` +
        'installez cette version, ou reprenez une sauvegarde faite avant la mise à jour.',
    )
  }
}

/** The message is for the terminal. */
export class DatabaseTooOldError extends Error {
  override readonly name = 'DatabaseTooOldError'
  constructor() {
    super(
      `La base vient d’une version d’essai trop ancienne de Comptoir\u202f: démarrez-la une fois avec la version ${lastBeforeBaseline} ` +
        'de ses sources, puis reprenez celle-ci.',
    )
  }
}

/** The tables are in another schema than the environment's; the message is for the terminal. */
export class DatabaseMisplacedError extends Error {
  override readonly name = 'DatabaseMisplacedError'
}

/** Earlier versions let the address's `options` choose another schema, where no backup found the tables. */
async function requireTables(db: Db | Trx, schema: string): Promise<void> {
  const { rows: made } = await sql<{ made: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as made`.execute(db)
  if (!made[0]?.made) return
  // An unmigrated schema lets the `users` of another one show through.
  const { rows } = await sql<{ home: string }>`
    select n.nspname as home from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass('users')
      and exists (select from ${sql.table(`${schema}.kysely_migration`)})`.execute(db)
  const home = rows[0]?.home ?? schema
  if (home === schema) return
  throw new DatabaseMisplacedError(
    `Dans cette base, les tables sont dans «\u202f${home}\u202f» au lieu de «\u202f${schema}\u202f»\u202f: déplacez-les ` +
      `(ALTER TABLE … SET SCHEMA ${schema}), ou reprenez une sauvegarde.`,
  )
}

/** Names what the library has applied as today's version does. */
async function renameApplied(
  db: Trx,
  schema: string,
  known: Readonly<Record<string, Migration>>,
): Promise<void> {
  const table = sql.table(`${schema}.kysely_migration`)
  const { rows: made } = await sql<{ made: boolean }>`
    select to_regclass(${`${schema}.kysely_migration`}) is not null as made`.execute(db)
  if (!made[0]?.made) return
  await sql`lock table ${table} in exclusive mode`.execute(db)
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  const applied = rows.map(({ name }) => name)
  if (isTooOld(applied)) throw new DatabaseTooOldError()
  const named = namesOfToday(applied)
  if (named === applied) return
  const unknown = named.filter((name) => !Object.hasOwn(known, name))
  if (unknown.length > 0) throw new DatabaseAheadError(unknown)
  // As old as what it replaces: what was applied since stands after it.
  await sql`
    insert into ${table} select ${named[0]}, max(timestamp) from ${table} where not name = any(${named})`.execute(
    db,
  )
  await sql`delete from ${table} where not name = any(${named})`.execute(db)
}

/** Migrates a schema all or nothing; throws DatabaseAheadError, DatabaseTooOldError or DatabaseMisplacedError. */
export async function migrate(
  db: Db,
  schema: string,
  migrations: Readonly<Record<string, Migration>> = ours,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Two servers that create one schema or extension at once would fail.
    await sql`select pg_advisory_xact_lock(7302114)`.execute(trx)
    await sql`create schema if not exists ${sql.id(schema)}`.execute(trx)
    const { rows } = await sql<{ found: string | null }>`select current_schema() as found`.execute(trx)
    const found = rows[0]?.found ?? ''
    if (found !== schema) {
      throw new DatabaseMisplacedError(
        `La connexion à la base ne s’ouvre pas sur le schéma «\u202f${schema}\u202f», mais sur «\u202f${found}\u202f»\u202f: ` +
          'vérifiez DATABASE_URL et les droits de ce compte sur ce schéma. Rien n’y a été écrit.',
      )
    }
    await requireTables(trx, schema)
    for (const extension of extensions) {
      await sql`create extension if not exists ${sql.id(extension)} schema public`.execute(trx)
    }
  })
  await gather(db, schema)
  // Apart from the lock above, so that a library that cannot be written keeps no other waiting.
  await db.transaction().execute((trx) => renameApplied(trx, schema, migrations))
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableSchema: schema,
  })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  // It is checked last, because a newer server may have migrated while this one waited.
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(`${schema}.kysely_migration`)} order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  throw unknown.length > 0 ? new DatabaseAheadError(unknown) : error
}
