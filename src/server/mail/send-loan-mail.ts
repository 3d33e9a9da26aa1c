import { sendMail as call } from '../../contract/mail.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { type Outcome, violation } from '../http/outcome.ts'
import { findVisibleLoan } from '../loans/loan-rows.ts'
import { listLoanMailRecipients } from './loan-mail-queries.ts'
import { mailToOne } from './mail-to-one.ts'

export async function sendLoanMail(
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
