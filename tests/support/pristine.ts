import type { PGlite } from '@electric-sql/pglite'

/** What a database holds before a test writes in it. */
export type Pristine = { catalog: string; tables: Table[]; sequences: string }
type Table = { name: string; rows: Blob | null }

/** By template: every engine that starts with it holds the same. */
const known = new Map<string, Promise<Pristine>>()

export function pristineOf(engine: PGlite, template: string): Promise<Pristine> {
  const found = known.get(template) ?? read(engine)
  known.set(template, found)
  return found
}

async function read(engine: PGlite): Promise<Pristine> {
  const { rows } = await engine.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const tables: Table[] = []
  for (const { name } of rows) {
    const { blob } = await engine.query(`copy ${name} to '/dev/blob'`)
    tables.push({ name, rows: blob && blob.size > 0 ? blob : null })
  }
  const sequences = await textOf(
    engine,
    `select string_agg(format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value is not null), '; ') from pg_sequences`,
  )
  return { catalog: await textOf(engine, catalogue), tables, sequences }
}

/** Puts back what it held; false where tables, functions or settings were changed, so that it is of no more use. */
export async function restore(engine: PGlite, { catalog, tables, sequences }: Pristine): Promise<boolean> {
  if ((await textOf(engine, catalogue)) !== catalog) return false
  await engine.transaction(async (transaction) => {
    // Neither triggers nor references may be in the way.
    await transaction.exec('set local session_replication_role = replica')
    await transaction.exec(tables.map(({ name }) => `delete from ${name};`).join(''))
    for (const { name, rows } of tables) {
      if (rows) await transaction.query(`copy ${name} from '/dev/blob'`, [], { blob: rows })
    }
    await transaction.exec(sequences)
  })
  return true
}

async function textOf(engine: PGlite, query: string): Promise<string> {
  const { rows } = await engine.query<Record<string, string>>(query)
  return String(Object.values(rows[0] ?? {})[0])
}

/**
 * What a database is made of, told by which transaction last changed it. Emptying a table writes its line in pg_class and changes
 * nothing that stays, so that these lines are told by what they say; pg_statistic by what was counted, because it decides of plans.
 */
const catalogue = `select concat_ws(' ', (select md5(string_agg(concat_ws('/', oid, relname, relnamespace, relkind, relnatts,
    relchecks, relhasindex, relhasrules, relhastriggers, relrowsecurity, relreplident, reloptions, relacl), ' ' order by oid)) from pg_class), ${[
      'attribute',
      'attrdef',
      'constraint',
      'index',
      'trigger',
      'proc',
      'type',
      'namespace',
      'rewrite',
      'policy',
      'extension',
      'statistic',
      'authid',
      'db_role_setting',
    ]
      .map((of) => `(select concat(count(*), '/', max(xmin::text::bigint)) from pg_${of})`)
      .join(', ')})`
