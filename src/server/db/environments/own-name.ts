import { sql } from 'kysely'

/** What a library calls itself today, beside its row of `environment`; what that says until it has its parameters. */
export const ownName = (schema: string) =>
  sql<string>`coalesce((select value from ${sql.table(`${schema}.parameters`)} where code = 'work_council'), name)`
