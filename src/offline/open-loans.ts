import type { SnapshotLoan } from '../contract/snapshot.ts'
import { type CalendarDay, calendarDayOf } from '../domain/calendar-day.ts'
import { isLate } from '../domain/loan-rules.ts'
import { correctedTime } from './device-clock.ts'
import { type Entry, isUnsettled } from './entry.ts'
import type { KnownLibrary } from './known-library.ts'
import { hasMade, isLend, isReturn, receiptOf } from './overlay.ts'
import { refusedActionOf } from './refused-action.ts'

export type OpenLoan = {
  loan_id: number | null
  loan_key: string | null
  copy_id: number | null
  bar_code: string
  title: string
  medium: number | null
  /** Null where it is not told. */
  site: number | null
  /** 0 when the reader is not disclosed. */
  beneficiary_id: number
  start_date: CalendarDay
  /** Null where only the server will say it. */
  end_date: CalendarDay | null
  late: boolean
  waiting: boolean
}

/** Names an open loan for lists and ticks: the server's id, or the key of the action that made it. */
export const heldKey = ({ loan_id, loan_key, bar_code }: OpenLoan): string =>
  loan_id === null ? (loan_key ?? bar_code) : String(loan_id)

export const defaultZone = 'Europe/Paris'
export const zoneOf = (library: Pick<KnownLibrary, 'settings'> | null): string =>
  library?.settings?.parameters['timezone'] ?? defaultZone

/** A loan at a site closed to this person has no bar code: it counts in the limits but is not shown. */
export const isShown = ({ copy_barcode }: Pick<SnapshotLoan, 'copy_barcode'>): boolean => copy_barcode !== ''

export async function loansInLibrary(
  library: KnownLibrary,
  beneficiary_id: number,
  day: CalendarDay,
): Promise<OpenLoan[]> {
  const zone = zoneOf(library)
  const rows = await library.loansOfBeneficiary(beneficiary_id)
  const overlay = await library.overlayOn(rows.map(copyKeysOfRow), beneficiary_id)
  const loans: OpenLoan[] = []
  for (const row of rows) {
    const last = overlay.lastOn(copyKeysOfRow(row))
    if (last === null || (isLend(last) && hasMade(last, row))) loans.push(loanOfRow(row, day))
  }
  // A set: some readers have hundreds, and each scan asks.
  const rowsOf = new Set<unknown>(loans.flatMap(({ loan_id, loan_key }) => [loan_id, loan_key]))
  const lent = overlay.lends.filter(
    (entry) =>
      entry.beneficiary_id === beneficiary_id &&
      overlay.lastOn(entry) === entry &&
      !(entry.state === 'done' && (rowsOf.has(receiptOf(entry)?.id) || rowsOf.has(entry.id))),
  )
  const copies = await Promise.all(
    lent.map(async ({ copy_id }) => (copy_id === null ? undefined : library.copyById(copy_id))),
  )
  for (const [at, entry] of lent.entries()) {
    const copy = copies[at]
    loans.push(loanOfEntry(entry, { day, zone, medium: copy?.medium ?? null, copy_site: copy?.site }))
  }
  return loans.sort(firstDue)
}

export const copyKeysOfRow = ({ copy, copy_barcode }: SnapshotLoan) => ({
  copy_id: copy,
  bar_code: copy_barcode,
})

/** What nobody knows the day of comes last. */
export const firstDue = (a: Pick<OpenLoan, 'end_date'>, b: Pick<OpenLoan, 'end_date'>): number =>
  (a.end_date ?? '9').localeCompare(b.end_date ?? '9')

/** `copy_site` tells where a loan is made whose lender works for no site in particular. */
type LoanContext = { day: CalendarDay; zone: string; medium: number | null; copy_site?: number | undefined }

/** The open loan of one copy: the snapshot's, unless the outbox says otherwise. */
export function openLoanOn(
  row: SnapshotLoan | null,
  last: Entry | null,
  context: LoanContext,
): OpenLoan | null {
  if (last && isReturn(last)) return null
  const isSnapshots = row !== null && (last === null || hasMade(last, row))
  if (isSnapshots) return loanOfRow(row, context.day)
  return last && loanOfEntry(last, context)
}

const loanOfRow = (row: SnapshotLoan, day: CalendarDay): OpenLoan => ({
  loan_id: row.id,
  loan_key: row.loan_key,
  copy_id: row.copy,
  bar_code: row.copy_barcode,
  title: row.reference_name,
  medium: row.medium,
  site: row.site ?? null,
  beneficiary_id: row.beneficiary ?? 0,
  start_date: row.start_date,
  end_date: row.end_date,
  late: isLate({ end_date: row.end_date, return_date: null }, day),
  waiting: false,
})

export function loanOfEntry(entry: Entry, { day, zone, medium, copy_site }: LoanContext): OpenLoan {
  const receipt = receiptOf(entry)
  const given = lendBodyOf(entry)['start_date']
  const start_date =
    typeof given === 'string'
      ? given
      : calendarDayOf(correctedTime(new Date(entry.occurred_at), entry.clock_offset), zone)
  const end_date = receipt?.end_date ?? entry.label.due
  return {
    loan_id: receipt?.id ?? null,
    loan_key: entry.id,
    copy_id: entry.copy_id,
    bar_code: entry.bar_code ?? '',
    title: entry.label.title,
    medium,
    site: entry.site || (copy_site ?? null),
    beneficiary_id: entry.beneficiary_id ?? 0,
    start_date,
    end_date,
    late: end_date !== null && isLate({ end_date, return_date: null }, day),
    waiting: isUnsettled(entry),
  }
}

/** The body of the loan, even when a choice before a conflict made it. */
const lendBodyOf = (entry: Entry): Record<string, unknown> => refusedActionOf(entry)?.body ?? entry.body
