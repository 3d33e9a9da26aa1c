import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { membersOf } from '../../contract/list.ts'
import { listLoans, type Loan, readerOf } from '../../contract/loans.ts'
import type { Medium } from '../../contract/media.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { type CopyState, type Penalty, penaltyOf, type PenaltyRule } from '../../domain/loan-rules.ts'
import { calendarOf, type Openings } from '../../domain/open-days.ts'
import { readerName } from '../../domain/person-names.ts'
import { findBeneficiary, openLoansOf } from '../../offline/counter.ts'
import { type Entry, isUnsettled } from '../../offline/entry.ts'
import { loanOfEntry, type OpenLoan } from '../../offline/open-loans.ts'
import { didNothing, receiptOf } from '../../offline/overlay.ts'
import { pendingOver } from '../../offline/pending-over.ts'
import { call } from '../api/call.ts'
import { ofReadyDevice, serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { useEntries } from '../outbox/outbox-entries.ts'
import { type LibraryDay, useLibraryDay } from './use-today.ts'

/** A loan not returned, told by the server or the device. */
export type HeldLoan = OpenLoan & {
  beneficiary_name: string
  /** State of the copy as it left; null where the device does not know it. */
  copy_state: CopyState | null
}

/** One that the server or its copy on the device told. */
export type DatedLoan = HeldLoan & { end_date: CalendarDay }

const mostLoans = 500

export const heldOfServer = (loan: Loan, media: readonly Medium[] = []): DatedLoan => ({
  loan_id: loan.id,
  loan_key: null,
  copy_id: loan.copy,
  bar_code: loan.copy_barcode,
  title: loan.reference_name,
  medium: media.find(({ name }) => name === loan.medium)?.id ?? null,
  site: loan.site,
  beneficiary_id: readerOf(loan),
  beneficiary_name: loan.beneficiary_name,
  copy_state: loan.copy_state,
  start_date: loan.start_date,
  end_date: loan.end_date,
  late: loan.islate,
  waiting: false,
})

/** What a reader has counts wherever it was lent, as it does off line; the first due first. */
export const askOpenLoans = (beneficiary: number, signal: AbortSignal) =>
  call(listLoans, {
    list: {
      limit: mostLoans,
      order: [{ field: 'end_date', direction: 'asc' }],
      filters: [
        { field: 'beneficiary', operator: 'eq', value: beneficiary },
        { field: 'status', operator: 'eq', value: 'in_progress' },
      ],
    },
    signal,
    site: 0,
  })

const heldLoansQuery = (beneficiary: number | null) =>
  queryOptions({
    queryKey: ['loanings', 'held', beneficiary],
    queryFn: async ({ client, signal }) => {
      const asked_at = new Date().toISOString()
      const loans = await serverFirst(
        async (): Promise<HeldLoan[]> => {
          const [page, media] = await Promise.all([
            askOpenLoans(beneficiary ?? 0, signal),
            client.ensureQueryData(mediaQuery),
          ])
          return membersOf(page).map((loan) => heldOfServer(loan, membersOf(media)))
        },
        () =>
          ofReadyDevice(async () => {
            const [loans, reader] = await Promise.all([
              openLoansOf(beneficiary ?? 0),
              findBeneficiary(beneficiary ?? 0),
            ])
            const beneficiary_name = reader ? readerName(reader) : ''
            return loans.map((loan): HeldLoan => ({ ...loan, beneficiary_name, copy_state: null }))
          }),
      )
      return { loans, asked_at }
    },
    enabled: beneficiary !== null,
  })

/** A reader's loans not returned, the first due first, with what they may lack of the outbox laid over them. */
export function useHeldLoans(beneficiary: number | null) {
  const query = useQuery(heldLoansQuery(beneficiary))
  const entries = useEntries()
  const { day, zone } = useLibraryDay()
  const told = query.data
  // The same list as long as nothing of it changes: some readers have hundreds, and each scan draws their card.
  const data = useMemo(
    () => told && heldOver(told, entries, beneficiary, { day, zone }),
    [told, entries, beneficiary, day, zone],
  )
  return { ...query, data }
}

/** A held loan as `pendingOver` finds the return that closes it; none while the loan itself is on its way. */
export const rowOfHeld = ({ loan_id, copy_id, bar_code }: HeldLoan) =>
  loan_id === null || copy_id === null
    ? []
    : [{ id: loan_id, copy: copy_id, copy_barcode: bar_code, status: 'in_progress' as const }]

/** `asked_at` (ISO): what was done since counts too, or else a loan would leave the list until it is asked for again. */
export function heldOver(
  { loans, asked_at }: { loans: readonly HeldLoan[]; asked_at: string },
  entries: readonly Entry[],
  beneficiary: number | null,
  at: LibraryDay,
): HeldLoan[] {
  const isLacked = (entry: Entry) =>
    isUnsettled(entry) ||
    (entry.state === 'done' && (entry.settled_at ?? '') > asked_at && !didNothing(entry))
  const { lends, returns } = pendingOver(loans.flatMap(rowOfHeld), entries, isLacked)
  const known = new Set<unknown>(loans.flatMap(({ loan_id, loan_key }) => [loan_id, loan_key]))
  const lent = lends.filter(
    (entry) =>
      entry.beneficiary_id === beneficiary &&
      !known.has(entry.id) &&
      (isOnItsWay(entry) || (entry.state === 'done' && !known.has(receiptOf(entry)?.id))),
  )
  return [...still(loans, returns), ...lent.map((entry) => heldOfSameEntry(entry, at))]
}

/** Those that no return on its way to the server will close. */
export function notReturning<Held extends HeldLoan>(
  loans: readonly Held[],
  entries: readonly Entry[],
): readonly Held[] {
  return still(loans, pendingOver(loans.flatMap(rowOfHeld), entries).returns)
}

const still = <Held extends HeldLoan>(
  loans: readonly Held[],
  returns: ReadonlyMap<number, Entry>,
): readonly Held[] =>
  loans.filter(({ loan_id }) => {
    const returning = loan_id === null ? undefined : returns.get(loan_id)
    return returning === undefined || !(isOnItsWay(returning) || returning.state === 'done')
  })

/** Refused entries are no loans: a person settles them elsewhere. */
export const isOnItsWay = ({ state }: Entry) =>
  state === 'queued' || state === 'sending' || state === 'waiting'

const heldOfEntries = new WeakMap<Entry, { at: LibraryDay; held: HeldLoan }>()

/** The same object for the same entry on the same day, so that its line is not drawn again. */
function heldOfSameEntry(entry: Entry, at: LibraryDay): HeldLoan {
  const before = heldOfEntries.get(entry)
  if (before?.at.day === at.day && before.at.zone === at.zone) return before.held
  const held = heldOfEntry(entry, at)
  heldOfEntries.set(entry, { at, held })
  return held
}

const heldOfEntry = (entry: Entry, at: LibraryDay): HeldLoan => ({
  ...loanOfEntry(entry, { ...at, medium: null }),
  beneficiary_name: entry.label.beneficiary ?? '',
  copy_state: null,
})

/** The penalty of returning a loan today; null when the rules give none or the medium is not known. */
export function penaltyToday(
  loan: Pick<HeldLoan, 'end_date' | 'medium' | 'site'>,
  today: CalendarDay,
  { rule, media, openings }: { rule: PenaltyRule; media: readonly Medium[]; openings: Openings },
): Penalty | null {
  const medium = media.find(({ id }) => id === loan.medium)
  if (!medium || loan.end_date === null) return null
  const calendar = calendarOf(openings, loan.site)
  return penaltyOf({ end_date: loan.end_date, return_date: today }, rule, medium, calendar)
}
