import { sql } from 'kysely'

import type { ReadInTurn } from '../db/lists/read-list.ts'

/** The codes of a medium, which a library's accounts know: one by site, one for all. */
export type AccountingCodes = { analytic: string | null; accounting_code: string | null }

const none: AccountingCodes = { analytic: null, accounting_code: null }

/** Loans or sales with the codes of what they are about; none are looked for where no column asks. */
export async function withAccountingCodes<Row extends { id: number }>(
  reads: ReadInTurn,
  table: 'loanings' | 'sales',
  { rows, columns }: { rows: readonly Row[]; columns: readonly { key: string }[] },
): Promise<(Row & AccountingCodes)[]> {
  if (!columns.some(({ key }) => key in none)) return rows.map((row) => ({ ...row, ...none }))
  const found = await reads((db) =>
    sql<AccountingCodes & { id: number }>`
      select t.id, a.analytic, m.accounting_code
      from ${sql.table(table)} t join copies c on c.id = t.copy join "references" r on r.id = c.reference
      join media m on m.id = r.medium left join media_analytics a on a.medium = m.id and a.site = t.site
      where t.id = any(${rows.map(({ id }) => id)}::int[])`.execute(db),
  )
  const codes = new Map(found.rows.map(({ id, ...of }) => [id, of]))
  return rows.map((row) => ({ ...row, ...(codes.get(row.id) ?? none) }))
}
