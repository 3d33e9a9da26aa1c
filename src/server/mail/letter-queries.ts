import { type RawBuilder, sql } from 'kysely'

import type { Letter } from '../../contract/letters.ts'
import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Db } from '../db/handles.ts'
import { type ListSource, readPage } from '../db/lists/list-sql.ts'
import { accountName } from '../library-facts/person-names.ts'
import type { Exchange } from '../http/exchange.ts'
import { visibleLetters } from '../visibility/visibility.ts'

export type LetterRow = Omit<Letter, '@id' | '@type'> & { sites: number[] }

/** Late loans of a letter t's reader that are its business. */
const lateLoans = (today: CalendarDay): RawBuilder<unknown> => sql`(
  select count(*)::integer from loanings l where l.beneficiary = t.beneficiary and l.site = any(t.sites)
    and l.status = 'in_progress' and l.deleted_at is null and l.end_date < ${today}::date)`

const statusOf = (today: CalendarDay): RawBuilder<unknown> => sql`(
  case when t.printed_at is not null then 'printed'
    when ${lateLoans(today)} > 0 and b.deleted_at is null then 'to_print' else 'stopped' end)`

/** Places with their readers in order, and those that nobody knows the place of at the end. */
const place = sql`(case when coalesce(b.commune, '') = '' then '1' else '0' end || search_text(b.commune) || ' ' || b.sort_name || ' ' || b.sort_firstname)`

const reading = ({ today, visibility }: Exchange): ListSource<LetterRow> => ({
  columns: sql<LetterRow>`t.id, t.beneficiary, trim(b.firstname || ' ' || b.lastname) as name, t.template, t.why,
    ${statusOf(today)} as status, t.sites, b.address, b.commune, t.made_on, t.printed_at,
    case when t.printed_by is not null then ${accountName('u')} end as printed_by,
    case when t.printed_at is null then ${lateLoans(today)}
      else (select count(distinct r.loaning)::integer from loan_reminders r where r.letter = t.id) end as loans`,
  from: sql`letters t join beneficiaries b on b.id = t.beneficiary left join users u on u.id = t.printed_by`,
  where: sql`true`,
  seen: visibleLetters(visibility),
  filters: {
    id: { column: sql`t.id` },
    status: { column: statusOf(today) },
    beneficiary: { column: sql`t.beneficiary` },
    commune: { column: sql`b.commune` },
    made_on: { column: sql`t.made_on` },
  },
  orders: {
    commune: place,
    name: sql`(b.sort_name || ' ' || b.sort_firstname)`,
    made_on: sql`t.made_on`,
    id: sql`t.id`,
  },
  id: sql`t.id`,
})

export const readLetters = (
  db: Db,
  list: ListQuery,
  exchange: Exchange,
): Promise<{ rows: LetterRow[]; total: number }> => readPage(db, list, reading(exchange))

export async function listLetters(db: Db, list: ListQuery, exchange: Exchange): Promise<Collection<Letter>> {
  const { rows, total } = await readLetters(db, list, exchange)
  return collection(
    rows.map((row) => {
      const { sites: _sites, ...told } = row
      return { '@id': `/api/letters/${row.id}`, '@type': 'Letter', ...told }
    }),
    total,
  )
}
