import { sql } from 'kysely'
import type * as v from 'valibot'

import { collection, type Collection, type ListQuery } from '../../contract/list.ts'
import type { outgoingMail } from '../../contract/mail.ts'
import type { Db } from '../db/handles.ts'
import { whereOf } from '../db/lists/list-sql.ts'
import { type LongOrder, readIds } from '../db/lists/read-list.ts'
import { visibleMails, readerNameWhere, readerOpen, type Visibility } from '../visibility/visibility.ts'

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
