import { useQuery } from '@tanstack/react-query'

import { sendMail } from '../../contract/mail.ts'
import { fullName } from '../../domain/person-names.ts'
import { useChange } from '../api/queries.ts'
import { beneficiaryQuery } from '../beneficiaries/beneficiary-data.ts'
import { useRight } from '../api/session.ts'
import { say } from '../page/messages.ts'
import { mailFailure } from '../loans/mail-failure.ts'
import { oneMail, sayMailed } from '../mail/say-mailed.ts'

/** Sends the recap of new loans, one mail a loan because the call takes one. */
export function useLoanMail(beneficiary: number | null) {
  const maySend = useRight('SEND_MAIL')
  const { data } = useQuery({
    ...beneficiaryQuery(beneficiary ?? 0),
    enabled: beneficiary !== null && maySend,
  })
  const { mutateAsync } = useChange(sendMail)
  const send = async (loans: readonly number[]) => {
    if (loans.length === 0) return
    try {
      for (const loaning of loans) await mutateAsync({ body: { loaning, template: 'loaning_creation' } })
      await sayMailed(oneMail, { about: data && fullName(data) })
    } catch (error) {
      say(mailFailure(error), 'bad')
    }
  }
  return { isOffered: maySend && data?.has_contact_email === true, send }
}
