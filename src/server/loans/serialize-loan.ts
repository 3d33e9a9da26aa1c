import type { Loan } from '../../contract/loans.ts'
import type { LoanElsewhere, ReturnedLoan } from '../../contract/returns.ts'
import type { Beyond } from '../../domain/loan-rules.ts'
import { nameAndNumber } from '../../domain/person-names.ts'
import type { Disclosed } from '../http/outcome.ts'
import type { CirculatingCopy, OpenLoan, WaitingReservation } from './circulating-copy.ts'
import { isReaderOpen, isSiteOpen, readerElsewhere, type Visibility } from '../visibility/visibility.ts'

/** A loan as it is kept; it is no answer and no fact before it is decided what may be told. */
export type StoredLoan = Omit<Loan, '@id' | '@type'> & {
  agency_id: number | null
}

/** Whether a loan exists for the person: its site is open, and their right to the history covers it. */
export const isLoanVisible = (
  visibility: Visibility,
  { site, status, return_date }: Pick<StoredLoan, 'site' | 'status' | 'return_date'>,
): boolean =>
  isSiteOpen(visibility, site) &&
  (visibility.returnsSince === null ||
    status === 'in_progress' ||
    (status === 'finished' && return_date !== null && return_date >= visibility.returnsSince))

const namelessReader = { beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere }

export function serializeLoan(visibility: Visibility, { agency_id, ...loan }: StoredLoan): Loan {
  const named = { '@id': `/api/loanings/${loan.id}`, '@type': 'Loaning', ...loan } as const
  return loan.beneficiary === null || isReaderOpen(visibility, agency_id)
    ? named
    : { ...named, ...namelessReader, relative: null }
}

/** A loan that the person touched at the counter; for a closed site, only its copy. */
const serializeTouchedLoan = (visibility: Visibility, loan: StoredLoan): Loan | LoanElsewhere =>
  isSiteOpen(visibility, loan.site) ? serializeLoan(visibility, loan) : serializeElsewhere(loan)

/** The same for a loan that others may have touched, which their right to the history must cover. */
export const serializeFoundLoan = (visibility: Visibility, loan: StoredLoan): Loan | LoanElsewhere =>
  isLoanVisible(visibility, loan) ? serializeLoan(visibility, loan) : serializeElsewhere(loan)

const serializeElsewhere = (loan: StoredLoan): LoanElsewhere => ({
  '@id': `/api/loanings/${loan.id}`,
  '@type': 'Loaning',
  id: loan.id,
  copy: loan.copy,
  copy_barcode: loan.copy_barcode,
  copy_state: loan.copy_state,
  reference: loan.reference,
  reference_name: loan.reference_name,
  category: loan.category,
  medium: loan.medium,
  status: loan.status,
})

export type ReturnNotes = Pick<ReturnedLoan, 'reservation_reference' | 'awaited_by' | 'home_site'>

export const serializeReturn = (
  visibility: Visibility,
  loan: StoredLoan,
  notes: ReturnNotes,
): ReturnedLoan | (LoanElsewhere & ReturnNotes) => ({ ...serializeTouchedLoan(visibility, loan), ...notes })

const disclosed = <T extends object>(fact: T) => fact as T & Disclosed

/** The loan that a refusal cites: only its id where the caller may not see it, so that a later choice can name it. */
export const loanFact = (visibility: Visibility, loan: StoredLoan): Disclosed =>
  disclosed(isLoanVisible(visibility, loan) ? serializeLoan(visibility, loan) : { id: loan.id })

/** Names a loan by what is lent, with `before` in front of it, but not out of sight. */
export const loanWords = (visibility: Visibility, loan: StoredLoan, before = ''): string =>
  isLoanVisible(visibility, loan) ? `${before}«\u00a0${loan.reference_name}\u00a0»` : 'Ce prêt'

export const lastLoanFact = (visibility: Visibility, loan: StoredLoan | null): Disclosed | null =>
  loan && isLoanVisible(visibility, loan) ? disclosed(serializeLoan(visibility, loan)) : null

export function holderFact(visibility: Visibility, open: OpenLoan): Disclosed {
  const { agency_id: _, ...loan } = open
  if (!isSiteOpen(visibility, loan.site)) return disclosed({ id: loan.id })
  return disclosed(isReaderOpen(visibility, open.agency_id) ? loan : { ...loan, ...namelessReader })
}

/** « Alice Martin (M1) », or nobody who is named. */
export const holderWords = (visibility: Visibility, open: OpenLoan): string =>
  isSiteOpen(visibility, open.site) && isReaderOpen(visibility, open.agency_id)
    ? open.beneficiary_name
    : readerElsewhereWithin

const readerElsewhereWithin = 'un lecteur d’un autre site'

const mayNameWhoWaits = (visibility: Visibility, { site, agency_id }: WaitingReservation): boolean =>
  (site === null || isSiteOpen(visibility, site)) && isReaderOpen(visibility, agency_id)

/** « Alice Martin », or nobody who is named. */
export const waiterWords = (visibility: Visibility, one: WaitingReservation): string =>
  mayNameWhoWaits(visibility, one) ? nameAndNumber(one.beneficiary_name)[0] : readerElsewhereWithin

/** Everybody who waits counts, but only those in sight are named. */
export const reservationFacts = (
  visibility: Visibility,
  waiting: readonly WaitingReservation[],
): Disclosed[] =>
  waiting.map((one) => {
    const { agency_id: _, site: _site, site_name: _name, ...reservation } = one
    return disclosed(mayNameWhoWaits(visibility, one) ? reservation : { ...reservation, ...namelessReader })
  })

/** For whom a copy that came back is to be set aside, and where. */
export const serializeAwaiting = (
  visibility: Visibility,
  one: WaitingReservation,
): ReturnedLoan['awaited_by'] => ({
  id: one.id,
  ...(mayNameWhoWaits(visibility, one)
    ? { beneficiary_info: one.beneficiary_info, beneficiary_name: one.beneficiary_name }
    : namelessReader),
  site: one.site === null ? null : { id: one.site, name: one.site_name ?? '' },
  start_date: one.start_date,
  is_set_aside: one.set_aside_copy !== null,
})

/** The lender knows the loan's terms and the parameters, so all bounds may be told. */
export const boundFacts = (beyond: readonly Beyond[]): Disclosed[] =>
  beyond.map(({ bound, days, limit }) => disclosed({ bound, days, limit }))

export const copyFact = (visibility: Visibility, copy: CirculatingCopy): Disclosed =>
  disclosed(isSiteOpen(visibility, copy.site) ? copy : { id: copy.id })
