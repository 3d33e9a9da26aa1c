import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { sendMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { readerOpen } from '../visibility/visibility.ts'
import { hasAddress, queueWritten } from '../writing/queue-mail.ts'
import { writtenMail } from '../writing/render-template.ts'
import { withoutAddress } from './mail-to-one.ts'

type Written = { readers: readonly number[]; object: string; sections: readonly string[] }
type Reader = {
  id: number
  firstname: string
  lastname: string
  agency_id: number | null
  email: string | null
}

/** One mail a reader, so that nobody reads another's address; none leaves where one of them is not in sight. */
export async function writeToReaders(
  trx: Trx,
  { readers, object, sections }: Written,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof call>>> {
  const { rows } = await sql<Reader>`
    select b.id, b.firstname, b.lastname, b.agency_id, case when ${hasAddress} then b.email::text end as email
    from beneficiaries b
    where b.id = any(${[...readers]}::int[]) and b.deleted_at is null and ${readerOpen(exchange.visibility)}
    order by b.id`.execute(trx)
  if (rows.length < readers.length) {
    return violation('beneficiaries', 'Un de ces lecteurs n’existe pas.')
  }
  const reached = rows.filter(({ email }) => email !== null)
  if (reached.length === 0) {
    return rows.length === 1
      ? withoutAddress(exchange, rows[0]!)
      : violation('email', 'Aucun de ces lecteurs n’a d’adresse électronique valable.')
  }
  const mail = writtenMail(object, sections)
  for (const { id, email } of reached) {
    await queueWritten(trx, exchange, { template: 'custom', to_address: email!, beneficiary: id, ...mail })
    await journal(trx, exchange, {
      action: call.name,
      entity: 'beneficiaries',
      entity_id: id,
      after: { template: 'custom' },
    })
  }
  const unreached = rows.length - reached.length
  return done({ count: reached.length, ...(unreached > 0 ? { without_address: unreached } : {}) })
}
