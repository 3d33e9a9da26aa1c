import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import type { Loan } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { leastInTime, useExtendedDue } from '../loans/extended-due.ts'
import ExtendDialog from '../loans/extend-dialog.tsx'
import { loanQuery } from '../loans/loan-data.ts'
import { sayError } from '../page/messages.ts'

type ProlongDialogProps = { loan: number; until: CalendarDay; onClose: () => void }

/** Asks whether a loan shall last until a day, in as many of its own units as it takes. Rendered while open. */
export default function ProlongDialog({ loan: id, until, onClose }: ProlongDialogProps) {
  const { data: loan, error } = useQuery(loanQuery(id))
  useEffect(() => {
    if (!error) return
    sayError(error)
    onClose()
  }, [error, onClose])
  return loan ? <OfLoan loan={loan} until={until} onClose={onClose} /> : null
}

function OfLoan({ loan, until, onClose }: { loan: Loan; until: CalendarDay; onClose: () => void }) {
  const dueOf = useExtendedDue([loan])
  // The form begins with it, so it waits for the rules.
  if (dueOf(loan, 1) === null) return null
  return <ExtendDialog loan={loan} added={leastInTime(loan, until, dueOf) ?? 1} onClose={onClose} />
}
