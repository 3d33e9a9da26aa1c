import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { sendMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { type Outcome, violation, done } from '../http/outcome.ts'
import { findVisibleLoan } from '../loans/loan-rows.ts'
import { readerOpen } from '../visibility/visibility.ts'
import { hasAddress, queueWritten } from '../writing/queue-mail.ts'
import { writtenMail } from '../writing/render-template.ts'
import { listLoanMailRecipients } from './loan-mail-queries.ts'
import { mailToOne, withoutAddress } from './mail-to-one.ts'
import { sendReservationMail, sendWrittenMail } from './send-reservation-mail.ts'

/** Of a loan or of a reservation, by its template or by hand, or to readers by hand. */
export async function sendMail(
  trx: Trx,
  { body }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof call>>> {
  const { loaning, reservation, template, comment = '', object, body: content, signing = '' } = body
  const isByHand = object !== undefined || content !== undefined || body.signing !== undefined
  const readers = [
    ...new Set([...(body.beneficiaries ?? []), ...(body.beneficiary ? [body.beneficiary] : [])]),
  ]
  const about = [loaning, reservation, readers[0]].filter((one) => one !== undefined)
  if (about.length === 0 && isByHand) {
    return violation('beneficiaries', 'Dites à quels lecteurs écrire, ou pour quelle réservation.')
  }
  if (about.length !== 1) {
    return violation(
      'reservation',
      'Un courriel est d’un prêt ou d’une réservation, ou écrit à la main à des lecteurs.',
    )
  }
  if (isByHand && template !== undefined) {
    return violation('template', 'Un courriel a un modèle ou un texte, et non les deux.')
  }
  if (loaning !== undefined) {
    if (template !== 'loaning_creation') {
      return violation(
        'template',
        'Le champ «\u00a0template\u00a0» doit valoir loaning_creation pour un prêt.',
      )
    }
    return sendLoanMail(trx, { loaning, template }, exchange)
  }
  const id = reservation ?? 0
  if (isByHand || readers.length > 0) {
    if (object === undefined) return violation('object', 'Le champ «\u00a0object\u00a0» est obligatoire.')
    if (content === undefined) return violation('body', 'Le champ «\u00a0body\u00a0» est obligatoire.')
    const written = { object, sections: [content, signing] }
    return readers.length > 0
      ? writeToReaders(trx, { readers, ...written }, exchange)
      : sendWrittenMail(trx, { reservation: id, ...written }, exchange)
  }
  if (template === undefined) return violation('template', 'Le champ «\u00a0template\u00a0» est obligatoire.')
  if (template === 'loaning_creation') {
    return violation('template', 'Ce modèle de courriel est celui d’un prêt.')
  }
  return sendReservationMail(trx, { reservation: id, template, comment: comment ?? '' }, exchange)
}

async function sendLoanMail(
  trx: Trx,
  { loaning, template }: { loaning: number; template: string },
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const loan = await findVisibleLoan(trx, loaning, exchange)
  const [recipient] = loan
    ? await listLoanMailRecipients(trx, { sites: exchange.visibility.open, loaning }, { only: 'everyone' })
    : []
  if (!recipient) return violation('loaning', 'Ce prêt n’existe pas.')
  return mailToOne(trx, exchange, recipient, { action: call.name, template, loaning })
}

type Written = { readers: readonly number[]; object: string; sections: readonly string[] }
type Reader = {
  id: number
  firstname: string
  lastname: string
  agency_id: number | null
  email: string | null
}

/** One mail a reader, so that nobody reads another's address; none leaves where one of them is not in sight. */
async function writeToReaders(
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
