import { useMutation, useQuery } from '@tanstack/react-query'

import { sendLoanMail } from '../../contract/mail.ts'
import { call } from '../api/call.ts'
import { useGestureKeys } from '../api/gesture-keys.ts'
import { beneficiaryQuery } from '../beneficiaries/beneficiary-data.ts'
import { useRight } from '../session/session.ts'
import { say, sayError } from '../ui/messages.ts'

/** Sends the recap of loans just made, to a reader who has an address and by who may write. One mail a loan, as the call has it. */
export function useLoanMail(beneficiary: number | null) {
  const maySend = useRight('SEND_MAIL')
  const { data } = useQuery({
    ...beneficiaryQuery(beneficiary ?? 0),
    enabled: beneficiary !== null && maySend,
  })
  const once = useGestureKeys()
  const { mutateAsync } = useMutation({
    mutationFn: async (loans: readonly number[]) => {
      for (const loaning of loans)
        await once(String(loaning), (key) =>
          call(sendLoanMail, { body: { loaning, template: 'loaning_creation' }, key }),
        )
    },
  })
  const send = async (loans: readonly number[]) => {
    if (loans.length === 0) return
    try {
      await mutateAsync(loans)
      say("L'email a bien été envoyé.")
    } catch (error) {
      sayError(error, "Une erreur est survenue. Vérifiez que l'email du bénéficiaire est valide.")
    }
  }
  return { isOffered: maySend && data?.has_contact_email === true, send }
}
