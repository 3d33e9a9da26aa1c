import { type RawBuilder, sql } from 'kysely'
import type * as v from 'valibot'

import type { Letter } from '../../contract/letters.ts'
import { type Collection, collection, type ListQuery } from '../../contract/list.ts'
import type { outgoingMail } from '../../contract/mail.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Db } from '../db/handles.ts'
import { type ListSource, readPage, whereOf } from '../db/lists/list-sql.ts'
import { type LongOrder, readIds } from '../db/lists/read-list.ts'
import type { Exchange } from '../http/exchange.ts'
import { accountName } from '../library-facts/person-names.ts'
import {
  readerNameWhere,
  readerOpen,
  type Visibility,
  visibleLetters,
  visibleMails,
} from '../visibility/visibility.ts'

type Mail = v.InferOutput<typeof outgoingMail>

type MailRow = Omit<Mail, '@id' | '@type'> & { to_address: string }

const filterColumns = {
  id: { column: sql`m.id` },
  status: { column: sql`m.status` },
  beneficiary: { column: sql`m.beneficiary` },
  template: { column: sql`m.template` },
}
const orderColumns: Record<string, LongOrder> = {
  created_at: { sorts: sql`m.created_at`, number: sql`(extract(epoch from m.created_at) * 1000000)` },
  id: { sorts: sql`m.id`, number: sql`m.id` },
}

/** One page of the mails in sight, without addresses for callers without BENEFICIARY_CONTACT. */
export async function listMails(db: Db, list: ListQuery, visibility: Visibility): Promise<Collection<Mail>> {
  const { ids, total } = await readIds(db, list, {
    table: sql`mail_outbox`,
    id: sql`m.id`,
    from: () => sql`mail_outbox m`,
    where: whereOf(visibleMails(visibility), list.filters, filterColumns),
    orders: orderColumns,
  })
  const { rows } = await sql<MailRow>`
    select m.id, m.to_address, m.subject, m.template, m.status, m.attempts, m.last_error, m.fault, m.created_at, m.sent_at,
      case when m.status = 'queued' then m.next_attempt_at end as next_attempt_at, m.beneficiary,
      case when b.id is not null then ${readerNameWhere(readerOpen(visibility))} end as name
    from mail_outbox m left join beneficiaries b on b.id = m.beneficiary
    where m.id = any(${ids}::int[]) order by array_position(${ids}::int[], m.id)`.execute(db)
  const showAddresses = visibility.rights.has('BENEFICIARY_CONTACT')
  return collection(
    rows.map((row) => mailOf(row, showAddresses)),
    total,
  )
}

function mailOf({ to_address, last_error, ...row }: MailRow, showAddresses: boolean): Mail {
  const subject = row.beneficiary === null ? withoutLinks(row.subject) : row.subject
  const named = { '@id': `/api/mail/${row.id}`, '@type': 'Mail', ...row, subject } as const
  // Mail servers repeat the address in their answers.
  if (!showAddresses) return { ...named, last_error: last_error?.replaceAll(to_address, '…') ?? null }
  return { ...named, to_address, last_error }
}

/** An account's link is its owner's alone, wherever the template puts it. */
const withoutLinks = (subject: string) => subject.replaceAll(/https?:\/\/\S+/g, '…')

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
