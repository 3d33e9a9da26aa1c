import { lazy, Suspense, useState } from 'react'

import type { JobKind } from '../../contract/jobs.ts'
import { sendRecap, sendReminders } from '../../contract/mail.ts'
import { useChange } from '../api/queries.ts'
import { sayError } from '../page/messages.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import type { MassMail } from './ask-mass-mail.tsx'
import { useToday } from './use-today.ts'

const Progress = lazy(() => import('./mass-mail-progress.tsx'))

/** How far the mails have come; where it was left before as well. */
export const MassMailProgress = (props: { kind: JobKind; title: string }) => (
  <Suspense fallback={null}>
    <Progress {...props} />
  </Suspense>
)

function useMassMail(call: typeof sendReminders | typeof sendRecap, mail: MassMail) {
  const confirm = useConfirm()
  const today = useToday()
  const { mutateAsync: send } = useChange(call)
  const [isPending, setPending] = useState(false)
  const ask = async () => {
    setPending(true)
    try {
      // Home is there before its questions are.
      const { askMassMail } = await import('./ask-mass-mail.tsx')
      await askMassMail(mail, { confirm, today, send })
    } catch (error) {
      sayError(error)
    } finally {
      setPending(false)
    }
  }
  return { ask: () => void ask(), isPending }
}

/** Mass reminders of late loans. */
export const useReminders = () => useMassMail(sendReminders, 'reminders')

/** A recap of their loans to everyone who has some. */
export const useRecap = () => useMassMail(sendRecap, 'recap')
