import { sql } from 'kysely'

import { type Reason, reasons } from '../../contract/reasons.ts'
import type { Db, Trx } from '../db/handles.ts'
import { describedRows, type ListRules } from '../http/bind-described.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden } from '../http/outcome.ts'

const rows = describedRows(reasons)

export const enabledReasons = (db: Db | Trx): Promise<Reason[]> => rows.every(db, sql`t.enabled`)

const rightOf = { delay: 'PARAMETER_DELAY', free: 'PARAMETER_FREE' } as const

export const reasonRules: ListRules = {
  mayWrite: ({ type }, { caller }: Exchange) =>
    caller.rights.has(rightOf[type as Reason['type']]) ? null : forbidden(),
  uses: (id) =>
    sql`select count(*)::integer as count from loanings where delay_reason = ${id} or free_reason = ${id}`,
}
