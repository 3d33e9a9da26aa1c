import { sql } from 'kysely'
import type * as v from 'valibot'

import type { Collection, ListQuery } from '../../contract/list.ts'
import type { outgoingMail } from '../../contract/mail.ts'
import type { Db } from '../db/environment.ts'
import { pageOf, whereOf } from '../db/list-sql.ts'

type Mail = v.InferOutput<typeof outgoingMail>

type MailRow = Omit<Mail, '@id' | '@type'> & { to_address: string }

const filterColumns = {
  status: { column: sql`status` },
  beneficiary: { column: sql`beneficiary` },
  template: { column: sql`template` },
}
const orderColumns = { created_at: sql`created_at`, id: sql`id` }

/** One page of the mails on their way, sent or failed. Without `showAddresses`, no address is answered. */
export async function listMails(db: Db, list: ListQuery, showAddresses: boolean): Promise<Collection<Mail>> {
  const where = whereOf(list.filters, filterColumns)
  const [page, total] = await Promise.all([
    sql<MailRow>`
      select id, to_address, subject, template, status, attempts, last_error, created_at, sent_at, beneficiary
      from mail_outbox where ${where} ${pageOf(list, orderColumns, sql`id`)}`.execute(db),
    sql<{ total: number }>`select count(*) as total from mail_outbox where ${where}`.execute(db),
  ])
  const members = page.rows.map((row) => mailOf(row, showAddresses))
  return { 'hydra:member': members, 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

function mailOf({ to_address, last_error, ...row }: MailRow, showAddresses: boolean): Mail {
  const named = { '@id': `/api/mail/${row.id}`, '@type': 'Mail', ...row } as const
  // Servers repeat the address in what they answer.
  if (!showAddresses) return { ...named, last_error: last_error?.replaceAll(to_address, '…') ?? null }
  return { ...named, to_address, last_error }
}
