import type { AnswerOf } from '../../contract/endpoint.ts'
import { type draftReservationMail as draftCall, sendMail as call } from '../../contract/mail.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { noSuchReservation } from '../queue/reservation-queries.ts'
import { findEnabledParts, queueMail, queueWritten } from '../writing/queue-mail.ts'
import { draftOf, writtenMail } from '../writing/render-template.ts'
import {
  envelopeOfReservation,
  readReserved,
  reservationVariables,
  type Reserved,
} from '../writing/reservation-mail.ts'
import { withoutAddress } from './mail-to-one.ts'
import { templateBroken, templateOff } from './template-rows.ts'

type Addressed = Reserved & { email: string }

/** Whom a mail about a reservation goes to, or why there is none. */
async function findAddressed(
  trx: Trx,
  id: number,
  exchange: Exchange,
): Promise<{ ok: true; reserved: Addressed } | Refused> {
  const [reserved] = await readReserved(trx, [id], exchange.visibility)
  if (!reserved) return namesNoReservation
  const { email } = reserved
  return email === null ? withoutAddress(exchange, reserved) : { ok: true, reserved: { ...reserved, email } }
}

const namesNoReservation = violation('reservation', 'Cette réservation n’existe pas.')

type TemplateMail = { reservation: number; template: string; comment: string }

export async function sendReservationMail(
  trx: Trx,
  { reservation, template, comment }: TemplateMail,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const found = await findAddressed(trx, reservation, exchange)
  if (!found.ok) return found
  const { reserved } = found
  const queued = await queueMail(trx, exchange, {
    ...envelopeOfReservation(reserved),
    template,
    to_address: reserved.email,
    variables: reservationVariables(reserved, comment, exchange),
  })
  if (queued.state === 'off') return templateOff(template)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  return journalMail(trx, exchange, { reserved, after: { template, reservation } })
}

type HandMail = { reservation: number; object: string; sections: readonly string[] }

export async function sendWrittenMail(
  trx: Trx,
  { reservation, object, sections }: HandMail,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const found = await findAddressed(trx, reservation, exchange)
  if (!found.ok) return found
  const { reserved } = found
  const mail = writtenMail(object, sections)
  await queueWritten(trx, exchange, {
    ...envelopeOfReservation(reserved),
    template: 'custom',
    to_address: reserved.email,
    ...mail,
  })
  return journalMail(trx, exchange, { reserved, after: { template: 'custom', reservation } })
}

/** What would be written of what it has become, for somebody to read and change before it leaves. */
export async function draftReservationMail(
  db: Db,
  { params }: VerbInput<typeof draftCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof draftCall>>> {
  const [reserved] = await readReserved(db, [params.id], exchange.visibility)
  if (!reserved) return noSuchReservation
  const template = `reservation_${reserved.status}` as const
  const nothing = { template, object: '', body: '', signing: '' }
  const parts = await findEnabledParts(db, template)
  if (!parts) return done({ ...nothing, obstacle: 'off' })
  if (reserved.email === null) return done({ ...nothing, obstacle: 'address' })
  const variables = {
    work_council: exchange.parameters.get('work_council'),
    ...reservationVariables(reserved, '', exchange),
  }
  const drawn = draftOf(parts, variables)
  return done(drawn.ok ? { template, obstacle: null, ...drawn.draft } : { ...nothing, obstacle: 'template' })
}

async function journalMail(
  trx: Trx,
  exchange: Exchange,
  { reserved, after }: { reserved: Addressed; after: object },
): Promise<Outcome<{ count: number }>> {
  await journal(trx, exchange, {
    action: call.name,
    entity: 'beneficiaries',
    entity_id: reserved.beneficiary,
    after,
  })
  return done({ count: 1 })
}
