import * as v from 'valibot'

import { isReminderCode } from '../../domain/mail-occasions.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { Step } from '../jobs/job.ts'
import { stillOpen } from '../visibility/visibility.ts'
import { findMailRenderer, queueMails } from '../writing/queue-mail.ts'
import { listLoanMailRecipients, loanMailVariables } from './loan-mail-queries.ts'
import { makeLetters, noteReminded } from './note-reminders.ts'
import { brokenTemplate, disabledTemplate } from './template-rows.ts'

/** What a mass mail keeps of its call: whose loans, the day its mails speak of, and where their links lead. */
const massMail = v.object({
  template: v.string(),
  sites: v.nullable(v.array(v.number())),
  lateOn: v.optional(v.string()),
  today: v.string(),
  /** Absent in a job of a version before, which wrote to everybody. */
  again: v.optional(v.boolean(), true),
  /** Absent in a job of a version before. */
  public_url: v.optional(v.string(), ''),
})

const mailsAStep = 50

export const massMailStep: Step = async (trx, { input, cursor }, context) => {
  const { template, today, again, public_url, ...asked } = v.parse(massMail, input)
  const { caller, visibility } = context.exchange
  const butOf = again ? undefined : { template, on: today, timezone: context.parameters.get('timezone') }
  const which = { ...asked, butOf, sites: stillOpen(visibility, asked.sites) }
  if (!caller.rights.has('SEND_MAIL') || which.sites?.length === 0) {
    return { problem: 'Votre compte n’a plus le droit d’écrire à ces lecteurs.' }
  }
  const render = await findMailRenderer(trx, template)
  if (!render) return { problem: disabledTemplate(template) }
  const level = isReminderCode(template) ? template : null
  // The reminders of the day are of the same loans: each sees what the other has written.
  await lockInLibrary(trx, 'mass mail')
  // Who is late and has no address gets a letter.
  const people = await listLoanMailRecipients(trx, which, {
    only: level === null ? 'with-address' : 'everyone',
    after: cursor,
    most: mailsAStep,
  })
  const recipients = people.filter(({ email }) => email !== null)
  const queued = await queueMails(
    trx,
    context,
    render,
    recipients.map((recipient) => ({
      template,
      to_address: recipient.email ?? '',
      beneficiary: recipient.id,
      sites: recipient.sites,
      variables: loanMailVariables(recipient, today, public_url),
    })),
  )
  if (queued.state === 'broken') return { problem: brokenTemplate(template, queued.problem) }
  if (level !== null) {
    await noteReminded(trx, recipients, { mails: queued.ids, level, today })
    const unreached = people.filter(({ email }) => email === null)
    await makeLetters(trx, unreached, { why: 'no_address', level, template: level, today })
  }
  return {
    cursor: people.at(-1)?.id ?? cursor,
    did: recipients.length,
    isLast: people.length < mailsAStep,
  }
}
