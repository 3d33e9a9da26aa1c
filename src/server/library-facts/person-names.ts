import { type RawBuilder, sql } from 'kysely'

// SQL twins of domain/person-names.ts.

/** « Alice Martin (M1) », of a reader b. */
export const readerName = sql<string>`trim(b.firstname || ' ' || b.lastname) || ' (' || b.matricule || ')'`

/** `matricule - lastname firstname` of a reader b. */
export const readerInfo = sql<string>`b.matricule || ' - ' || b.lastname || ' ' || b.firstname`

export const relativeName = sql<string>`trim(rel.firstname || ' ' || rel.lastname)`

export const accountName = (table: string): RawBuilder<string> =>
  sql`coalesce(nullif(trim(${sql.ref(`${table}.firstname`)} || ' ' || ${sql.ref(`${table}.lastname`)}), ''), ${sql.ref(`${table}.username`)}::text)`
