import * as v from 'valibot'

import type { MailCode } from '../domain/mail-occasions.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { atMost, byId, flagInQuery, id, instant, item, linkTo, someLines, someText, text } from './wire.ts'

/** One a person. */
const counted = v.object({ count: v.number() })
const countedPeople = v.object({
  count: v.number(),
  /** People whom no mail can reach, where there are some. */
  without_address: v.optional(v.number()),
  /** People who are left out because they had one today, where there are some. */
  had_one_today: v.optional(v.number()),
})
const countedForJob = v.object({ ...countedPeople.entries, job: v.optional(id) })
const massMail = v.strictObject({
  dry_run: v.optional(flagInQuery),
  /** To those who had one today as well. */
  again: v.optional(flagInQuery),
})

export const sendReminders = endpoint({
  name: 'mail.reminders',
  method: 'POST',
  path: '/api/mail/reminders',
  access: 'SEND_MAIL',
  summary:
    'Relancer tous les bénéficiaires en retard (`dry_run=1` ne fait que compter, `again=1` reprend qui l’a été aujourd’hui)',
  query: massMail,
  status: 202,
  answer: countedForJob,
})

export const sendRecap = endpoint({
  name: 'mail.recap',
  method: 'POST',
  path: '/api/mail/recap',
  access: 'SEND_MAIL',
  summary:
    'Envoyer à chacun le récapitulatif de ses prêts en cours (`dry_run=1` ne fait que compter, `again=1` reprend qui l’a eu aujourd’hui)',
  query: massMail,
  status: 202,
  answer: countedForJob,
})

// Named here, because the first page has these calls and needs no words of mails.
const reservationMails = [
  'reservation_confirmed',
  'reservation_waiting',
  'reservation_canceled',
  'reservation_refused',
] as const satisfies readonly MailCode[]

export const sendMail = endpoint({
  name: 'mail.send',
  method: 'POST',
  path: '/api/mail',
  access: 'SEND_MAIL',
  summary:
    'Envoyer le courriel d’un prêt ou d’une réservation, ou un courriel écrit à la main, aussi à des lecteurs',
  status: 202,
  /** A loan or a reservation with its template, or a text of one's own to a reservation's reader or to readers. */
  body: v.strictObject({
    loaning: v.optional(linkTo('loanings')),
    reservation: v.optional(linkTo('reservations')),
    beneficiary: v.optional(linkTo('beneficiaries')),
    beneficiaries: v.optional(
      v.pipe(atMost(500, 'lecteurs', linkTo('beneficiaries')), v.minLength(1, 'doit nommer un lecteur')),
    ),
    template: v.optional(v.picklist(['loaning_creation', ...reservationMails])),
    comment: v.optional(v.nullable(text(2000))),
    object: v.optional(someText(200)),
    body: v.optional(someLines(20_000)),
    signing: v.optional(text(20_000)),
  }),
  answer: countedPeople,
})

/** What stands in the way of a mail: nobody to write to, a mail that is switched off, or one that cannot be read. */
const mailObstacles = ['address', 'off', 'template'] as const

export const draftReservationMail = endpoint({
  name: 'mail.draft',
  method: 'GET',
  path: '/api/mail/reservations/{id}',
  access: 'SEND_MAIL',
  summary: 'Le courriel de ce qu’une réservation est devenue, tel qu’il partirait',
  params: byId,
  answer: v.object({
    template: v.picklist(reservationMails),
    obstacle: v.nullable(v.picklist(mailObstacles)),
    /** One line; `body` and `signing` are HTML. Empty where something stands in the way. */
    object: v.string(),
    body: v.string(),
    signing: v.string(),
  }),
})

/** `written`: a file of the server, for want of a mail server; it reached nobody. */
export const mailStatuses = ['queued', 'sent', 'written', 'failed', 'stopped'] as const
const mailFaults = ['address', 'message', 'server', 'template'] as const

export const outgoingMail = item('Mail', {
  /** Absent without the right BENEFICIARY_CONTACT. */
  to_address: v.optional(v.string()),
  subject: v.string(),
  template: v.string(),
  status: v.picklist(mailStatuses),
  attempts: v.number(),
  last_error: v.nullable(v.string()),
  /** What has to be mended where it did not leave, or not yet. */
  fault: v.nullable(v.picklist(mailFaults)),
  created_at: instant,
  sent_at: v.nullable(instant),
  next_attempt_at: v.nullable(instant),
  beneficiary: v.nullable(id),
  /** Whom it is to, where it is to a reader. */
  name: v.nullable(v.string()),
})
export type OutgoingMail = v.InferOutput<typeof outgoingMail>

export const listMails = endpoint({
  name: 'mail.list',
  method: 'GET',
  path: '/api/mail',
  access: 'SEND_MAIL',
  summary: 'Les courriels partis, en attente, en échec ou arrêtés',
  list: {
    filters: {
      id: filterBy.id,
      status: filterBy.choice(mailStatuses),
      beneficiary: filterBy.id,
      template: filterBy.code,
    },
    orders: ['created_at', 'id'],
    defaultOrder: ['created_at', 'desc'],
  } satisfies ListShape,
  answer: collectionOf(outgoingMail),
})

export const retryMail = endpoint({
  name: 'mail.retry',
  method: 'POST',
  path: '/api/mail/{id}/retry',
  access: 'SEND_MAIL',
  summary: 'Réessayer un courriel en échec, à l’adresse que le lecteur a maintenant',
  params: byId,
  status: 202,
  answer: counted,
})

export const mailEndpoints = [sendReminders, sendRecap, sendMail, draftReservationMail, listMails, retryMail]
