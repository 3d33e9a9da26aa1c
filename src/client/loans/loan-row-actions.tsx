import { useMediaQuery } from '@mantine/hooks'

import type { Loan } from '../../contract/loans.ts'
import { RowButtons } from '../ui/row-buttons.tsx'
import { useLoanActions } from './use-loan-actions.tsx'

/** What can be done with one loan of a list: icons on a desktop, one menu on a phone or a tablet. */
export function LoanRowActions({ loan }: { loan: Loan }) {
  const { actions, run, isPending, dialog } = useLoanActions(loan)
  const isDesktop = useMediaQuery('(min-width: 1200px)', window.innerWidth >= 1200)
  return (
    <>
      <RowButtons
        title={loan.reference_name}
        actions={actions.map((action) => ({ ...action, run: () => run(action.key) }))}
        icons={isDesktop ? 4 : 0}
        isPending={isPending}
      />
      {dialog}
    </>
  )
}
