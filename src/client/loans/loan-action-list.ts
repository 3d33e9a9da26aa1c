import {
  IconArrowBackUp,
  IconCalendarPlus,
  IconClockExclamation,
  IconEye,
  IconPencil,
  IconTrash,
  IconX,
} from '@tabler/icons-react'

import type { Loan } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'

export type LoanActionKey = 'view' | 'edit' | 'return' | 'extend' | 'delay' | 'cancel' | 'delete'

export type LoanAction = { key: LoanActionKey; label: string; Icon: typeof IconEye; isDangerous?: boolean }

const words: Record<LoanActionKey, LoanAction> = {
  view: { key: 'view', label: 'Voir', Icon: IconEye },
  edit: { key: 'edit', label: 'Modifier', Icon: IconPencil },
  return: { key: 'return', label: 'Rendre', Icon: IconArrowBackUp },
  extend: { key: 'extend', label: 'Prolonger', Icon: IconCalendarPlus },
  delay: { key: 'delay', label: 'Commenter le retard', Icon: IconClockExclamation },
  cancel: { key: 'cancel', label: 'Annuler le prêt', Icon: IconX },
  delete: { key: 'delete', label: 'Supprimer', Icon: IconTrash, isDangerous: true },
}

type Standing = Pick<Loan, 'status' | 'start_date' | 'islate'>

/**
 * What a person may do with a loan today, by right and by where the loan stands (file 1, « Loans list »). A loan is cancelled on the
 * day it began; later it is returned.
 */
export function actionsOn(loan: Standing, rights: readonly Right[], today: CalendarDay): LoanAction[] {
  const has = (right: Right) => rights.includes(right)
  const isOpen = loan.status === 'in_progress'
  const isOffered: Record<LoanActionKey, boolean> = {
    view: has('LIST_LOANINGS'),
    edit: has('LOANING_EDIT') && loan.status !== 'cancelled',
    return: has('LOANING_RETURN') && isOpen,
    extend: has('LOANING_EDIT') && isOpen,
    delay: has('LOANING_EDIT') && loan.islate,
    cancel: has('LOANING_EDIT') && isOpen && loan.start_date >= today,
    delete: has('LOANING_DELETE'),
  }
  return (Object.keys(words) as LoanActionKey[]).filter((key) => isOffered[key]).map((key) => words[key])
}

/** Whether « Rendre » cancels instead: the loan began today and the person may cancel it (file 1, section 4). */
export const isReturnCancelling = (
  loan: Pick<Loan, 'start_date'>,
  rights: readonly Right[],
  today: CalendarDay,
): boolean => loan.start_date === today && rights.includes('LOANING_EDIT')
