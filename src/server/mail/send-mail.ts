import type { AnswerOf } from '../../contract/endpoint.ts'
import type { sendMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Outcome, violation } from '../http/outcome.ts'
import { sendLoanMail } from './send-loan-mail.ts'
import { sendReservationMail, sendWrittenMail } from './send-reservation-mail.ts'
import { writeToReaders } from './write-to-readers.ts'

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
