import type { Trx } from '../db/environment.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../journal.ts'
import { type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { queueMail } from './queue-mail.ts'
import { templateBroken, templateOff } from './template-refusals.ts'

type LoanMail = { action: string; template: string; loaning?: number }

/** Writes to one person about the loans given, or says why that cannot be. */
export async function mailToOne(
  trx: Trx,
  exchange: Exchange,
  recipient: LoanMailRecipient,
  { action, template, loaning }: LoanMail,
): Promise<Outcome<{ count: number }>> {
  if (recipient.email === null) {
    return violation(
      'email',
      `${recipient.firstname} ${recipient.lastname} n’a pas d’adresse électronique valable.`.trim(),
    )
  }
  const queued = await queueMail(trx, exchange, {
    template,
    to_address: recipient.email,
    beneficiary: recipient.id,
    loaning: loaning ?? null,
    variables: loanMailVariables(recipient, exchange.today),
  })
  if (queued.state === 'off') return templateOff(template)
  if (queued.state === 'broken') return templateBroken(template, queued.problem)
  await journal(trx, exchange, {
    action,
    entity: 'beneficiaries',
    entity_id: recipient.id,
    after: { template, loaning },
  })
  return done({ count: 1 })
}
