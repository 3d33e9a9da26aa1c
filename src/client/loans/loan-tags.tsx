import type { ReactNode } from 'react'

import type { Loan } from '../../contract/loans.ts'
import { type CalendarDay, daysBetween } from '../../domain/calendar-day.ts'
import { loanStatuses } from '../../domain/loan-rules.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import type { LoanRow } from './loan-rows.ts'
import { kindOf } from '../outbox/outbox-entries.ts'
import { inWords } from '../page/house-words.ts'

/** Where a loan stands, in one word: late comes before everything. */
export function LoanTag({ loan }: { loan: Pick<Loan, 'status' | 'islate'> }) {
  if (loan.status === 'in_progress') {
    return loan.islate ? (
      <StatusTag tone="bad">En retard</StatusTag>
    ) : (
      <StatusTag tone="good">En cours</StatusTag>
    )
  }
  if (loan.status === 'finished' && loan.islate) return <StatusTag tone="warn">Rendu en retard</StatusTag>
  return <StatusTag tone="quiet">{loanStatuses[loan.status]}</StatusTag>
}

/** What waits or was refused on the device comes first, then how late it is. The state is not said where the list has one only. */
export function tagOfRow({ loan, entry }: LoanRow, today: CalendarDay, isOneState: boolean): ReactNode {
  if (entry) {
    if (kindOf(entry) === 'refused')
      return <StatusTag tone="bad">{loan ? inWords('Retour refusé') : inWords('Prêt refusé')}</StatusTag>
    return <StatusTag tone="wait">{loan ? inWords('Retour en attente') : 'En attente'}</StatusTag>
  }
  if (loan === null) return null
  if (loan.status === 'in_progress' && loan.islate)
    return <StatusTag tone="bad">{`Retard ${daysBetween(loan.end_date, today)}\u00a0j`}</StatusTag>
  return isOneState && !loan.islate ? null : <LoanTag loan={loan} />
}
