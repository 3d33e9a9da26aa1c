import { sql } from 'kysely'

import type { ClosingPreview, previewClosing as previewCall } from '../../contract/closings.ts'
import { readOpenings } from '../db/openings.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { calendarsOf, closingOf, loansToMove, movedTo, openingsAfter, whyNotClosed } from './closing.ts'
import { countShelfDeadlines } from './move-shelf-deadlines.ts'
import { hasAddress } from '../writing/has-address.ts'

const shownRows = 20

/** Counts as the act will find it, were it asked for now. */
export async function previewClosing(
  db: Db,
  { body }: VerbInput<typeof previewCall>,
  { sight, today }: Exchange,
): Promise<Outcome<ClosingPreview>> {
  const refused = await whyNotClosed(db, sight, body, (at) => `closures.${at}.last_day`)
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
