import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { flagInQuery, id, instant, item, linkTo } from './wire.ts'

/** One a person. */
const counted = v.object({ count: v.number() })
const countedForJob = v.object({ count: v.number(), job: v.optional(id) })
const dryRun = v.strictObject({ dry_run: v.optional(flagInQuery) })

export const sendReminders = endpoint({
  name: 'mail.reminders',
  method: 'POST',
  path: '/api/mail/reminders',
  access: 'SEND_MAIL',
  summary: 'Relancer tous les bénéficiaires en retard (`dry_run=1` ne fait que compter)',
  query: dryRun,
  status: 202,
  answer: countedForJob,
})

export const sendRecap = endpoint({
  name: 'mail.recap',
  method: 'POST',
  path: '/api/mail/recap',
  access: 'SEND_MAIL',
  summary: 'Envoyer à chacun le récapitulatif de ses prêts en cours (`dry_run=1` ne fait que compter)',
  query: dryRun,
  status: 202,
  answer: countedForJob,
})

export const sendLoanMail = endpoint({
  name: 'mail.send',
  method: 'POST',
  path: '/api/mail',
  access: 'SEND_MAIL',
  summary: 'Envoyer le courriel d’un prêt',
  status: 202,
  body: v.strictObject({ loaning: linkTo('loanings'), template: v.picklist(['loaning_creation']) }),
  answer: counted,
})

export const outgoingMail = item('Mail', {
  /** Absent without the right BENEFICIARY_CONTACT. */
  to_address: v.optional(v.string()),
  subject: v.string(),
  template: v.string(),
  status: v.picklist(['queued', 'sent', 'failed']),
  attempts: v.number(),
  last_error: v.nullable(v.string()),
  created_at: instant,
  sent_at: v.nullable(instant),
  beneficiary: v.nullable(id),
})

export const listMails = endpoint({
  name: 'mail.list',
  method: 'GET',
  path: '/api/mail',
  access: 'SEND_MAIL',
  summary: 'Les courriels partis, en attente ou en échec',
  list: {
    filters: {
      status: filterBy.choice(['queued', 'sent', 'failed']),
      beneficiary: filterBy.id,
      template: filterBy.code,
    },
    orders: ['created_at', 'id'],
    defaultOrder: ['created_at', 'desc'],
  } satisfies ListShape,
  answer: collectionOf(outgoingMail),
})

export const mailEndpoints = [sendReminders, sendRecap, sendLoanMail, listMails]
