import {
  IconArrowBackUp,
  IconCalendarPlus,
  IconClockExclamation,
  IconEye,
  IconMail,
  IconPencil,
  IconTrash,
  IconX,
} from '@tabler/icons-react'

import type { Loan } from '../../contract/loans.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Right } from '../../domain/rights.ts'
import type { RowAction } from '../ui/lists/row-actions.ts'

export type LoanActionKey = 'return' | 'extend' | 'view' | 'edit' | 'delay' | 'remind' | 'cancel' | 'delete'

type LoanAction = Pick<RowAction<Loan>, 'label' | 'Icon' | 'tone'> & {
  right: Right
  may?: (loan: Loan) => boolean
}

const isOpen = ({ status }: Loan) => status === 'in_progress'

/** By right and by the loan's state, the most used first. */
export const loanActions: Record<LoanActionKey, LoanAction> = {
  return: { label: 'Rendre', Icon: IconArrowBackUp, right: 'LOANING_RETURN', may: isOpen },
  extend: { label: 'Prolonger', Icon: IconCalendarPlus, right: 'LOANING_EDIT', may: isOpen },
  view: { label: 'Voir', Icon: IconEye, right: 'LIST_LOANINGS' },
  edit: {
    label: 'Modifier',
    Icon: IconPencil,
    right: 'LOANING_EDIT',
    may: ({ status }) => status !== 'cancelled',
  },
  delay: {
    label: 'Commenter le retard',
    Icon: IconClockExclamation,
    right: 'LOANING_EDIT',
    may: ({ islate }) => islate,
  },
  remind: {
    label: 'Relancer',
    Icon: IconMail,
    right: 'SEND_MAIL',
    may: (loan) => isOpen(loan) && loan.islate,
  },
  cancel: { label: 'Annuler le prêt', Icon: IconX, right: 'LOANING_EDIT', may: isOpen },
  delete: { label: 'Supprimer', Icon: IconTrash, right: 'LOANING_DELETE', tone: 'bad' },
}

/** « Rendre » cancels a loan of today for who may cancel it. */
export const isReturnCancelling = (
  loan: Pick<Loan, 'start_date'>,
  rights: readonly Right[],
  today: CalendarDay,
): boolean => loan.start_date === today && rights.includes('LOANING_EDIT')
