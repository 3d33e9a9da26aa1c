import { sendRecap as sendRecapCall, sendReminders as sendRemindersCall } from '../../contract/mail.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import {
  countLoanMailRecipients,
  listLoanMailRecipients,
  loanMailVariables,
  type LoansToMail,
} from './loan-mail-queries.ts'
import { findMailRenderer, queueMails } from './queue-mail.ts'
import { templateBroken, templateOff } from './template-refusals.ts'

type Counted = Outcome<{ count: number }>

/** Reminds everyone who holds late loans, of the sites in sight: one mail a person. */
export const sendReminders = (trx: Trx, { query }: VerbInput<typeof sendRemindersCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    action: sendRemindersCall.name,
    template: 'loaning_reminder',
    which: { sites: exchange.sites, lateOn: exchange.today },
    dryRun: query.dry_run ?? false,
  })

/** Sends everyone who holds loans, of the sites in sight, the list of them. */
export const sendRecap = (trx: Trx, { query }: VerbInput<typeof sendRecapCall>, exchange: Exchange) =>
  sendToAll(trx, exchange, {
    action: sendRecapCall.name,
    template: 'loaning_recap',
    which: { sites: exchange.sites },
    dryRun: query.dry_run ?? false,
  })

type MassMail = { action: string; template: string; which: LoansToMail; dryRun: boolean }

async function sendToAll(
  trx: Trx,
  exchange: Exchange,
  { action, template, which, dryRun }: MassMail,
): Promise<Counted> {
  const render = await findMailRenderer(trx, template)
  if (!render) return templateOff(template)
  if (dryRun) return done({ count: await countLoanMailRecipients(trx, which) }, 200)

  const recipients = await listLoanMailRecipients(trx, which, 'with-address')
  const mails = recipients.map((recipient) => ({
    template,
    to_address: recipient.email ?? '',
    beneficiary: recipient.id,
    variables: loanMailVariables(recipient, exchange.today),
  }))
  const queued = await queueMails(trx, exchange, render, mails)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  const count = mails.length
  await journal(trx, exchange, {
    action,
    entity: 'mail_outbox',
    entity_id: null,
    after: { count, sites: exchange.sites },
  })
  return done({ count })
}
