import { remindBeneficiary as call } from '../../contract/beneficiaries.ts'
import { findBeneficiaryInSight } from '../beneficiaries/beneficiary-queries.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { notFound, type Outcome, violation } from '../http/outcome.ts'
import { listLoanMailRecipients } from './loan-mail-queries.ts'
import { mailToOne } from './mail-to-one.ts'

/** Reminds one person of their late loans, of the sites in sight. */
export async function remindBeneficiary(
  trx: Trx,
  { params }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const person = await findBeneficiaryInSight(trx, params.id, exchange)
  if (!person) return notFound('Ce bénéficiaire n’existe pas.')
  const which = { sites: exchange.sites, lateOn: exchange.today, beneficiary: params.id }
  const [recipient] = await listLoanMailRecipients(trx, which, 'everyone')
  if (!recipient) {
    return violation('loanings', `${person.firstname} ${person.lastname} n’a aucun prêt en retard.`.trim())
  }
  return mailToOne(trx, exchange, recipient, { action: call.name, template: 'loaning_reminder' })
}
