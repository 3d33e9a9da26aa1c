import { sql } from 'kysely'

import { type Reason, reasons } from '../../contract/reasons.ts'
import type { Db, Trx } from '../db/handles.ts'
import { source } from '../db/source.ts'
import { bindResource, whileUsed } from '../http/bind-resource.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden } from '../http/outcome.ts'
import { seenByAll } from '../sight/sight.ts'

const rows = source(reasons, {
  from: sql`reasons re`,
  where: sql`re.deleted_at is null`,
  seen: seenByAll,
  id: sql`re.id`,
  columns: {
    name: sql`re.name`,
    code: sql`re.code`,
    type: sql`re.type`,
    enabled: sql`re.enabled`,
    date_update: sql`re.date_update`,
  },
  sorts: { name: sql`search_text(re.name)` },
})

export const enabledReasons = (db: Db | Trx): Promise<Reason[]> => rows.every(db, sql`re.enabled`)

const rightOf = { delay: 'PARAMETER_DELAY', free: 'PARAMETER_FREE' } as const

export const reasonRoutes = bindResource(reasons, 'reasons', rows, {
  missing: 'Ce motif n’existe pas.',
  taken: { name: 'Un motif de cette sorte porte déjà ce nom.' },
  mayWrite: ({ type }, { caller }: Exchange) =>
    caller.rights.has(rightOf[type as Reason['type']]) ? null : forbidden(),
  refuses: whileUsed(
    (id) =>
      sql`select count(*)::integer as count from loanings where delay_reason = ${id} or free_reason = ${id}`,
    (count) =>
      count === 1
        ? 'Un prêt porte ce motif\u202f: désactivez-le plutôt, il ne sera plus proposé.'
        : `${count} prêts portent ce motif\u202f: désactivez-le plutôt, il ne sera plus proposé.`,
  ),
})
