import { type Kysely, sql } from 'kysely'

/** « le » or « la » before a word depends on the word that the library chose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`alter table translations add column gender text not null default 'm' check (gender in ('m', 'f'))`,
    sql`alter table translations add column delivered text not null default ''`,
  ]
  for (const statement of statements) await statement.execute(db)
}
