import { sql } from 'kysely'

import * as call from '../../contract/closings.ts'
import type { ClosingPreview, previewClosing as previewCall } from '../../contract/closings.ts'
import { closures } from '../../contract/closures.ts'
import type { Db } from '../db/handles.ts'
import { readOpenings } from '../library-facts/openings.ts'
import { source } from '../db/lists/source.ts'
import { bindResource } from '../http/bind-resource.ts'
import { type Binding, change, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { changingOpenings } from '../http/openings-change.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { seenByAll } from '../visibility/visibility.ts'
import { hasAddress } from '../writing/queue-mail.ts'
import { close } from './close.ts'
import {
  calendarsOf,
  closingOf,
  countShelfDeadlines,
  loansToMove,
  movedTo,
  openingsAfter,
  whyNotClosed,
} from './closing.ts'

const shownRows = 20

/** Counts as the act will find it, were it asked for now. */
async function previewClosing(
  db: Db,
  { body }: VerbInput<typeof previewCall>,
  { visibility, today }: Exchange,
): Promise<Outcome<ClosingPreview>> {
  const refused = await whyNotClosed(db, visibility, body, (at) => `closures.${at}.last_day`)
  if (refused) return refused
  const closing = closingOf(body, today)
  const calendarAt = calendarsOf(openingsAfter(await readOpenings(db), closing))
  const { rows } = await sql<{
    id: number
    site: number
    beneficiary: number
    name: string
    end_date: string
    has_address: boolean
  }>`
    select l.id, l.site, l.beneficiary, r.name, l.end_date, ${hasAddress} as has_address
    from loanings l join sites s on s.id = l.site join beneficiaries b on b.id = l.beneficiary
      join copies k on k.id = l.copy join "references" r on r.id = k.reference
    where ${loansToMove(closing)} order by l.end_date, l.id`.execute(db)
  const { spread_days } = closing
  const moves = rows.flatMap(({ end_date: from, beneficiary: reader, has_address, ...of }) => {
    const to = movedTo(from, { reader, calendar: calendarAt(of.site), spread_days })
    return to === from ? [] : [{ row: { ...of, from, to }, reader, has_address }]
  })
  const days = new Map<string, number>()
  for (const { row } of moves) days.set(row.to, (days.get(row.to) ?? 0) + 1)
  return done({
    loans: moves.length,
    shelf_deadlines: await countShelfDeadlines(db, closing),
    people: new Set(moves.flatMap(({ reader, has_address }) => (has_address ? [reader] : []))).size,
    rows: moves.slice(0, shownRows).map(({ row }) => row),
    by_day: [...days].toSorted(([a], [b]) => a.localeCompare(b)).map(([day, count]) => ({ day, count })),
  })
}

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

const resourceRoutes = bindResource(closures, closureRows, {
  mayWrite: (row, { visibility }, trx) => {
    const { site, ...days } = row as unknown as Row
    return whyNotClosed(trx, visibility, { site, closures: [days] }, () => 'last_day')
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
