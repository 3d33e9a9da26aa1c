import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { useSession } from '../session/session.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { say, sayError } from '../ui/messages.ts'
import { DelayDialog } from './delay-dialog.tsx'
import { ExtendDialog } from './extend-dialog.tsx'
import { actionsOn, isReturnCancelling, type LoanAction, type LoanActionKey } from './loan-action-list.ts'
import { useCancelLoan, useDeleteLoan } from './loan-data.ts'
import { useToday } from './use-today.ts'

type LoanActions = {
  actions: LoanAction[]
  run: (key: LoanActionKey) => void
  isPending: boolean
  dialog: ReactNode
}

/** What can be done with a loan, and doing it. Render `dialog` once. `onDeleted` is told when the loan is gone. */
export function useLoanActions(loan: Loan, onDeleted?: () => void): LoanActions {
  const navigate = useNavigate()
  const confirm = useConfirm()
  const today = useToday()
  const rights = useSession()?.user?.rights ?? []
  const cancelling = useCancelLoan()
  const deleting = useDeleteLoan()
  const [open, setOpen] = useState<'extend' | 'delay' | null>(null)
  const close = () => setOpen(null)
  const named = `«\u00a0${loan.reference_name}\u00a0», prêté à ${loan.beneficiary_info} le ${frenchDay(loan.start_date)}`

  const cancel = async (title: string, message: string) => {
    if (!(await confirm({ title, message, danger: true }))) return
    await cancelling.mutateAsync({ id: loan.id })
    say('Votre demande a bien été prise en compte.')
  }
  const giveBack = async () => {
    if (isReturnCancelling(loan, rights, today)) {
      await cancel('Prêt du jour', `${named}\u202f: ce prêt a commencé aujourd’hui, il sera annulé.`)
    } else {
      await navigate(`/loaning/return?beneficiary=${loan.beneficiary}&loan=${loan.id}`)
    }
  }
  const remove = async () => {
    const message =
      loan.status === 'in_progress'
        ? `${named}\u202f: le prêt quitte les listes et l’exemplaire redevient disponible.`
        : `${named}\u202f: le prêt quitte les listes.`
    if (!(await confirm({ title: 'Supprimer le prêt', message, danger: true }))) return
    await deleting.mutateAsync({ id: loan.id })
    say('Votre demande a bien été prise en compte.')
    onDeleted?.()
  }
  const verbs: Record<LoanActionKey, () => unknown> = {
    view: () => navigate(`/loanings/view/${loan.id}`),
    edit: () => navigate(`/loanings/edit/${loan.id}`),
    return: giveBack,
    extend: () => setOpen('extend'),
    delay: () => setOpen('delay'),
    cancel: () =>
      cancel('Annuler le prêt', `${named}\u202f: le prêt sera annulé et l’exemplaire redevient disponible.`),
    delete: remove,
  }
  return {
    actions: actionsOn(loan, rights, today),
    run: (key) => void Promise.resolve(verbs[key]()).catch(sayError),
    isPending: cancelling.isPending || deleting.isPending,
    dialog:
      open === 'extend' ? (
        <ExtendDialog loan={loan} onClose={close} />
      ) : open === 'delay' ? (
        <DelayDialog loan={loan} onClose={close} />
      ) : null,
  }
}
