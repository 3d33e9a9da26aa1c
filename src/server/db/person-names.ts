import { type RawBuilder, sql } from 'kysely'

// The names of domain/person-names.ts, as statements read them.

/** « Alice Martin (M1) », of a reader b. */
export const readerName = sql<string>`trim(b.firstname || ' ' || b.lastname) || ' (' || b.matricule || ')'`

/** `matricule - lastname firstname` (file 2, section 9), of a reader b. */
export const readerInfo = sql<string>`b.matricule || ' - ' || b.lastname || ' ' || b.firstname`

/** « Zoé Dupont », of a relative rel. */
export const relativeName = sql<string>`trim(rel.firstname || ' ' || rel.lastname)`

/** Whose an account is, by the name that its table has in the statement. */
export const accountName = (table: string): RawBuilder<string> =>
  sql`coalesce(nullif(trim(${sql.ref(`${table}.firstname`)} || ' ' || ${sql.ref(`${table}.lastname`)}), ''), ${sql.ref(`${table}.username`)}::text)`
