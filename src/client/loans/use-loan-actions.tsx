import { useCallbackRef } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'

import { cancelLoan, deleteLoan, type Loan } from '../../contract/loans.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { requestTaken } from '../../domain/sentences/loans.ts'
import { useChange } from '../api/queries.ts'
import { useRights } from '../api/session.ts'
import type { UnderWay } from '../ui/lists/bulk-bar.tsx'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { say } from '../page/messages.ts'
import { useOpenDetail } from '../ui/lists/open-detail.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { isReturnCancelling, loanActions, type LoanActionKey } from './loan-action-list.ts'
import { useLoansAtOnce } from './use-loans-at-once.tsx'
import { useToday } from './use-today.ts'

const DelayDialog = lazy(() => import('./delay-dialog.tsx'))
const ExtendDialog = lazy(() => import('./extend-dialog.tsx'))
const ExtendSeveralDialog = lazy(() => import('./extend-several-dialog.tsx'))

const cancelsOlder =
  'ce prêt n’est pas d’aujourd’hui. Il sera annulé comme s’il n’avait pas eu lieu, et l’exemplaire redevient disponible. Si l’exemplaire est revenu, enregistrez plutôt son retour.'

const isForSeveral = (key: LoanActionKey) => key === 'extend' || key === 'remind' || key === 'delete'

type LoanActionsOptions = {
  /** Told when a loan is gone. */
  onDeleted?: () => void
  /** « Rendre » cancels a loan of today, in the list of loans alone. */
  cancelsToday?: boolean
  /** The loans stand on another page than their list, to which « back » then leads. */
  isOutside?: boolean
}

/** The person's actions on loans, with one set of dialogs for any number. Render `dialog` once. */
export function useLoanActions({
  onDeleted,
  cancelsToday = false,
  isOutside = false,
}: LoanActionsOptions = {}): {
  actions: readonly RowAction<Loan>[]
  /** What is done to several loans at this moment. */
  underWay: UnderWay | null
  dialog: ReactNode
} {
  const navigate = useNavigate()
  const { open: openDetail, openForm } = useOpenDetail()
  const confirm = useConfirm()
  const today = useToday()
  const rights = useRights()
  const cancelling = useChange(cancelLoan)
  const deleting = useChange(deleteLoan)
  const { remind, removeAll, underWay } = useLoansAtOnce()
  const [open, setOpen] = useState<{ verb: 'extend' | 'delay'; loans: readonly Loan[] } | null>(null)
  const close = () => setOpen(null)

  const cancel = async (loan: Loan, title: string, message: string) => {
    if (!(await confirm({ title, message: `${named(loan)}\u202f: ${message}`, acts: 'destroys' }))) return
    await cancelling.mutateAsync({ params: { id: loan.id }, body: {} })
    say(requestTaken, 'good', { about: loan.reference_name })
  }
  const giveBack = async (loan: Loan) => {
    if (cancelsToday && isReturnCancelling(loan, rights, today)) {
      await cancel(loan, 'Annuler le prêt du jour', 'ce prêt a commencé aujourd’hui, il sera annulé.')
    } else {
      await navigate(`/loaning/return?beneficiary=${loan.beneficiary}&loan=${loan.id}`)
    }
  }
  const remove = async (loan: Loan) => {
    const message =
      loan.status === 'in_progress'
        ? `${named(loan)}\u202f: le prêt quitte les listes et l’exemplaire redevient disponible.`
        : `${named(loan)}\u202f: le prêt quitte les listes.`
    if (!(await confirm({ title: 'Supprimer le prêt', message, acts: 'destroys' }))) return
    await deleting.mutateAsync({ params: { id: loan.id } })
    say(requestTaken, 'good', { about: loan.reference_name })
    onDeleted?.()
  }
  const verbs: Record<LoanActionKey, (loan: Loan) => unknown> = {
    return: giveBack,
    extend: (loan) => setOpen({ verb: 'extend', loans: [loan] }),
    view: ({ id }) => (isOutside ? navigate : openDetail)(`/loanings/view/${id}`),
    edit: ({ id }) =>
      isOutside ? navigate(`/loanings/edit/${id}`) : openForm(`/loanings/edit/${id}`, `/loanings/view/${id}`),
    delay: (loan) => setOpen({ verb: 'delay', loans: [loan] }),
    remind: (loan) => remind([loan]),
    cancel: (loan) =>
      cancel(
        loan,
        'Annuler le prêt',
        loan.start_date < today ? cancelsOlder : 'le prêt sera annulé et l’exemplaire redevient disponible.',
      ),
    delete: remove,
  }
  const verbsOnSeveral: Partial<Record<LoanActionKey, (loans: readonly Loan[]) => unknown>> = {
    extend: (loans) => setOpen({ verb: 'extend', loans }),
    remind,
    delete: removeAll,
  }
  const run = useCallbackRef((key: LoanActionKey, loan: Loan) => verbs[key](loan))
  const runAll = useCallbackRef((key: LoanActionKey, loans: readonly Loan[]) => verbsOnSeveral[key]?.(loans))
  const actions = useMemo(
    () =>
      (Object.keys(loanActions) as LoanActionKey[])
        .filter((key) => rights.includes(loanActions[key].right))
        .map((key): RowAction<Loan> => {
          const { right: _, may, ...action } = loanActions[key]
          return {
            ...action,
            key,
            may: (loan) => may?.(loan) ?? true,
            run: (loan) => run(key, loan),
            ...(isForSeveral(key) ? { runAll: (loans: readonly Loan[]) => runAll(key, loans) } : {}),
          }
        }),
    [rights, run, runAll],
  )
  const [first] = open?.loans ?? []
  return {
    actions,
    underWay,
    dialog:
      open === null || first === undefined ? null : (
        <Suspense fallback={null}>
          {open.verb === 'delay' ? (
            <DelayDialog loan={first} onClose={close} />
          ) : open.loans.length === 1 ? (
            <ExtendDialog loan={first} onClose={close} />
          ) : (
            <ExtendSeveralDialog loans={open.loans} onClose={close} />
          )}
        </Suspense>
      ),
  }
}

const named = ({ reference_name, beneficiary_name, start_date }: Loan): string =>
  `«\u00a0${reference_name}\u00a0», prêté à ${beneficiary_name} le ${frenchDay(start_date)}`
