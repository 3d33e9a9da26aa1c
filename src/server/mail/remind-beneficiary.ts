import { remindBeneficiary as call } from '../../contract/beneficiaries.ts'
import { fullName } from '../../domain/person-names.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { notFound, type Outcome, violation } from '../http/outcome.ts'
import { type LoanMailRecipient, listLoanMailRecipients } from './loan-mail-queries.ts'
import { mailToOne } from './mail-to-one.ts'
import { markReminded } from './note-reminders.ts'

/** Reminds one person of late loans in sight, or else of those due today. */
export async function remindBeneficiary(
  trx: Trx,
  { params }: VerbInput<typeof call>,
  exchange: Exchange,
): Promise<Outcome<{ count: number }>> {
  const person = await findVisibleBeneficiary(trx, params.id, exchange)
  if (!person) return notFound('Ce lecteur n’existe pas.')
  // The reminders of the day and a mass mail write of the same loans: they see what this press has written.
  await lockInLibrary(trx, 'mass mail')
  const remind = async (recipient: LoanMailRecipient, template: 'loaning_reminder' | 'loaning_recap') => {
    const sent = await mailToOne(trx, exchange, recipient, { action: call.name, template })
    if (sent.ok) await markReminded(trx, recipient.loans, exchange.today)
    return sent
  }
  const theirs = { sites: exchange.visibility.listed, beneficiary: params.id }
  const [late] = await listLoanMailRecipients(
    trx,
    { ...theirs, lateOn: exchange.today },
    { only: 'everyone' },
  )
  if (late) return remind(late, 'loaning_reminder')
  const [due] = await listLoanMailRecipients(trx, { ...theirs, dueOn: exchange.today }, { only: 'everyone' })
  // The template of late loans would call these late.
  if (due) return remind(due, 'loaning_recap')
  return violation('loanings', `${fullName(person)} n’a aucun prêt en retard ni à rendre aujourd’hui.`)
}
