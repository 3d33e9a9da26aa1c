import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import { type draftReservationMail as draftCall, sendMail as call } from '../../contract/mail.ts'
import { isReminderCode } from '../../domain/mail-occasions.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Db, Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { findVisibleLoan } from '../loans/loan-rows.ts'
import { noSuchReservation } from '../queue/reservation-queries.ts'
import { isReaderOpen, readerOpen } from '../visibility/visibility.ts'
import { findEnabledParts, hasAddress, queueMail, queueWritten } from '../writing/queue-mail.ts'
import { draftOf, writtenMail } from '../writing/render-template.ts'
import {
  envelopeOfReservation,
  readReserved,
  reservationVariables,
  type Reserved,
} from '../writing/reservation-mail.ts'
import { listLoanMailRecipients, type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { noteReminded } from './note-reminders.ts'
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

async function sendReservationMail(
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

async function sendWrittenMail(
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

type LoanMail = { action: string; template: string; loaning?: number }

/** Nobody to write to is said in a sentence, which names no reader of another site. */
export function withoutAddress(
  { visibility }: Exchange,
  reader: Pick<LoanMailRecipient, 'agency_id' | 'firstname' | 'lastname'>,
) {
  const name = isReaderOpen(visibility, reader.agency_id) ? fullName(reader) : 'Ce lecteur d’un autre site'
  return violation('email', `${name} n’a pas d’adresse électronique valable.`)
}

export async function mailToOne(
  trx: Trx,
  exchange: Exchange,
  recipient: LoanMailRecipient,
  { action, template, loaning }: LoanMail,
): Promise<Outcome<{ count: number }>> {
  if (recipient.email === null) return withoutAddress(exchange, recipient)
  const queued = await queueMail(trx, exchange, {
    template,
    to_address: recipient.email,
    beneficiary: recipient.id,
    loaning: loaning ?? null,
    sites: recipient.sites,
    variables: loanMailVariables(recipient, exchange.today, exchange.publicUrl),
  })
  if (queued.state === 'off') return templateOff(template)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  if (isReminderCode(template)) {
    await noteReminded(trx, [recipient], { mails: queued.ids, level: template, today: exchange.today })
  }
  await journal(trx, exchange, {
    action,
    entity: 'beneficiaries',
    entity_id: recipient.id,
    after: { template, loaning },
  })
  return done({ count: 1 })
}
