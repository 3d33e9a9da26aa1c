import { isReminderCode } from '../../domain/mail-occasions.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { isReaderOpen } from '../visibility/visibility.ts'
import { queueMail } from '../writing/queue-mail.ts'
import { type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { noteReminded } from './note-reminders.ts'
import { templateBroken, templateOff } from './template-rows.ts'

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
