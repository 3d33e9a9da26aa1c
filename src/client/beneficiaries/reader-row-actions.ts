import { IconBookmark, IconPencil, IconShoppingBag } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'

import type { Loan } from '../../contract/loans.ts'
import type { Reservation } from '../../contract/reservations.ts'
import type { Right } from '../../domain/rights.ts'
import { useRights } from '../api/session.ts'
import { useLoanActions } from '../loans/use-loan-actions.tsx'
import { addressOfLoan, addressOfQueue, useReservationForms } from '../queue/reservation-addresses.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'

const ofReader = ['return', 'extend', 'view', 'cancel']

/** Returns the actions on a reader's loans; render `dialog` once. */
export function useReaderLoanActions() {
  const { actions, dialog } = useLoanActions({ isOutside: true })
  const offered = useMemo(
    () =>
      actions
        .filter(({ key }) => ofReader.includes(key))
        .map((action): RowAction<Loan> => (action.key === 'return' ? { ...action, isMain: true } : action)),
    [actions],
  )
  return { actions: offered, dialog }
}

export function useReaderReservationActions(): readonly RowAction<Reservation>[] {
  const navigate = useNavigate()
  const rights = useRights()
  const { change } = useReservationForms()
  return useMemo(
    () =>
      (
        [
          {
            key: 'lend',
            label: 'Prêter',
            Icon: IconShoppingBag,
            right: 'LOANING_ADD',
            isMain: true,
            run: (one) => navigate(addressOfLoan(one)),
          },
          { key: 'edit', label: 'Modifier', Icon: IconPencil, right: 'RESERVATION_EDIT', run: change },
          {
            key: 'queue',
            label: 'Voir la file du titre',
            Icon: IconBookmark,
            right: 'LIST_RESERVATIONS',
            run: ({ reference_id }) => navigate(addressOfQueue(reference_id)),
          },
        ] satisfies (RowAction<Reservation> & { right: Right })[]
      ).filter(({ right }) => rights.includes(right)),
    [rights, navigate, change],
  )
}
