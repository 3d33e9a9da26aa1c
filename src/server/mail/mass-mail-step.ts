import * as v from 'valibot'

import type { Step } from '../jobs/job.ts'
import { listLoanMailRecipients, loanMailVariables, noteReminded } from './loan-mail-queries.ts'
import { findMailRenderer, queueMails } from './queue-mail.ts'
import { brokenTemplate, disabledTemplate } from './template-refusals.ts'

/** What a mass mail keeps of its call: whose loans, and the day its mails speak of. */
export const massMail = v.object({
  template: v.string(),
  sites: v.nullable(v.array(v.number())),
  lateOn: v.optional(v.string()),
  today: v.string(),
})

const mailsAStep = 50

export const massMailStep: Step = async (trx, { input, cursor }, context) => {
  const { template, today, ...which } = v.parse(massMail, input)
  const render = await findMailRenderer(trx, template)
  if (!render) return { problem: disabledTemplate(template) }
  const recipients = await listLoanMailRecipients(trx, which, {
    only: 'with-address',
    after: cursor,
    most: mailsAStep,
  })
  const queued = await queueMails(
    trx,
    context,
    render,
    recipients.map((recipient) => ({
      template,
      to_address: recipient.email ?? '',
      beneficiary: recipient.id,
      sites: recipient.sites,
      variables: loanMailVariables(recipient, today),
    })),
  )
  if (queued.state === 'broken') return { problem: brokenTemplate(template, queued.problem) }
  if (which.lateOn !== undefined) await noteReminded(trx, recipients, today)
  return {
    cursor: recipients.at(-1)?.id ?? cursor,
    did: recipients.length,
    isLast: recipients.length < mailsAStep,
  }
}
