import type { sendMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Outcome, violation } from '../http/outcome.ts'
import { sendLoanMail } from './send-loan-mail.ts'
import { sendReservationMail, sendWrittenMail } from './send-reservation-mail.ts'

/**
 * Of a loan or of a reservation, by its template or by hand (file 2, section 7, and decisions 16 and 17 of the
 * specification).
 */
export async function sendMail(
  trx: Trx,
  { body }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const { loaning, reservation, template, comment = '', object, body: content, signing = '' } = body
  const isByHand = object !== undefined || content !== undefined || body.signing !== undefined
  if ((loaning === undefined) === (reservation === undefined)) {
    return violation('reservation', 'Un courriel est d’un prêt ou d’une réservation.')
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
  if (isByHand) {
    if (object === undefined) return violation('object', 'Le champ «\u00a0object\u00a0» est obligatoire.')
    if (content === undefined) return violation('body', 'Le champ «\u00a0body\u00a0» est obligatoire.')
    return sendWrittenMail(trx, { reservation: id, object, sections: [content, signing] }, exchange)
  }
  if (template === undefined) return violation('template', 'Le champ «\u00a0template\u00a0» est obligatoire.')
  if (template === 'loaning_creation') {
    return violation('template', 'Ce modèle de courriel est celui d’un prêt.')
  }
  return sendReservationMail(trx, { reservation: id, template, comment: comment ?? '' }, exchange)
}
