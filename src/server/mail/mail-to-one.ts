import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { isReaderOpen } from '../sight/sight.ts'
import { type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { queueMail } from './queue-mail.ts'
import { templateBroken, templateOff } from './template-refusals.ts'

type LoanMail = { action: string; template: string; loaning?: number }

export async function mailToOne(
  trx: Trx,
  exchange: Exchange,
  recipient: LoanMailRecipient,
  { action, template, loaning }: LoanMail,
): Promise<Outcome<{ count: number }>> {
  const name = isReaderOpen(exchange.sight, recipient.agency_id)
    ? fullName(recipient)
    : 'Ce lecteur d’un autre site'
  if (recipient.email === null) {
    return violation('email', `${name} n’a pas d’adresse électronique valable.`)
  }
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
  await journal(trx, exchange, {
    action,
    entity: 'beneficiaries',
    entity_id: recipient.id,
    after: { template, loaning },
  })
  return done({ count: 1 })
}
