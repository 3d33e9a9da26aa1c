import { sql } from 'kysely'

import * as call from '../../contract/closings.ts'
import { closures } from '../../contract/closures.ts'
import { source } from '../db/source.ts'
import { bindResource } from '../http/bind-resource.ts'
import { type Binding, change, longRead } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { seenByAll } from '../sight/sight.ts'
import { close } from './close.ts'
import { whyNotClosed } from './closing.ts'
import { changingOpenings } from '../http/openings-change.ts'
import { previewClosing } from './preview-closing.ts'

const closureRows = source(closures, {
  from: sql`closures c left join sites s on s.id = c.site`,
  where: sql`c.deleted_at is null`,
  seen: seenByAll,
  id: sql`c.id`,
  columns: {
    site: sql`c.site`,
    site_name: sql`s.name`,
    first_day: sql`c.first_day`,
    last_day: sql`c.last_day`,
    label: sql`c.label`,
    act: sql`c.act`,
    date_update: sql`c.date_update`,
  },
  sorts: { label: sql`search_text(c.label)`, site_name: sql`search_text(s.name)` },
})

/** A closure as its row has it, or would. */
type Row = { site: number | null; first_day: string; last_day: string }

const resourceRoutes = bindResource(closures, 'closures', closureRows, {
  missing: 'Cette fermeture n’existe pas.',
  mayWrite: (row, { sight }, trx) => {
    const { site, ...days } = row as unknown as Row
    return whyNotClosed(trx, sight, { site, closures: [days] }, () => 'last_day')
  },
})

/** What is lent after it must know of it. */
const tellingOpenings = (binding: Binding): Binding =>
  binding.kind === 'change'
    ? {
        ...binding,
        verb: async (trx, input, exchange, prepared) =>
          changingOpenings(
            (exchange as Exchange).environment,
            await binding.verb(trx, input, exchange, prepared),
          ),
      }
    : binding

export const closureRoutes = [
  ...resourceRoutes.map(tellingOpenings),
  longRead(call.previewClosing, previewClosing),
  change(call.close, close),
]
