import { sql } from 'kysely'

import { retryMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, refuse } from '../http/outcome.ts'
import { visibleMails } from '../visibility/visibility.ts'
import { hasAddress } from '../writing/queue-mail.ts'
import { withoutAddress } from './mail-to-one.ts'

type Failed = {
  status: string
  html: string
  to_address: string
  beneficiary: number | null
  email: string | null
  firstname: string
  lastname: string
  agency_id: number | null
}

/** Whoever reads why a mail failed has mended it: it begins again, to the address that its reader has now. */
export async function retryMail(
  trx: Trx,
  { params: { id } }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const { rows } = await sql<Failed>`
    select m.status, m.html, m.to_address, m.beneficiary, case when ${hasAddress} then b.email::text end as email,
      coalesce(b.firstname, '') as firstname, coalesce(b.lastname, '') as lastname, b.agency_id
    from mail_outbox m left join beneficiaries b on b.id = m.beneficiary and b.deleted_at is null
    where m.id = ${id} and ${visibleMails(exchange.visibility)} for update of m`.execute(trx)
  const [mail] = rows
  if (!mail) return notFound('Ce courriel n’existe pas.')
  if (mail.status !== 'failed') {
    return refuse({
      status: 409,
      message: 'Ce courriel n’est pas en échec\u202f: il n’y a rien à réessayer.',
    })
  }
  if (mail.html === '') {
    return refuse({
      status: 409,
      message: 'Ce courriel ne peut pas repartir\u202f: demandez-en un nouveau.',
    })
  }
  if (mail.email === null) return withoutAddress(exchange, mail)
  await trx
    .updateTable('mail_outbox')
    .set({
      status: 'queued',
      attempts: 0,
      to_address: mail.email,
      next_attempt_at: exchange.now.toISOString(),
      last_error: null,
      fault: null,
    })
    .where('id', '=', id)
    .execute()
  // Should it fail again, the letter is made again.
  await trx.deleteFrom('letters').where('mail', '=', id).where('printed_at', 'is', null).execute()
  await journal(trx, exchange, {
    action: call.name,
    entity: 'mail',
    entity_id: id,
    after: { beneficiary: mail.beneficiary },
  })
  return done({ count: 1 })
}
