import type { ColumnType, Generated, JSONColumnType } from 'kysely'

import type { AgeBand, Audience, ReaderKind } from '../../../domain/age-bands.ts'
import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { CopyState, DurationType, LoanStatus } from '../../../domain/loan-rules.ts'
import type { Money } from '../../../domain/money.ts'
import type { SettleChoice } from '../../../domain/settle-choice-codes.ts'
import type { Id, Instant } from './column-kinds.ts'

/** What is lent, waited for and sold, and the sums of it. */
export type LoanTables = {
  sales: {
    id: Id
    /** May be forgotten. */
    beneficiary: number | null
    relative: number | null
    copy: number
    site: number
    /** The day it was sold. */
    date: CalendarDay
    price: Money
    free: Generated<boolean>
    free_reason: number | null
    comment: Generated<string>
    sold_by: number | null
    sold_at: Instant
    sold_received_at: Instant
    device_id: string | null
    deleted_at: Instant | null
  }
  loanings: {
    /** Also given before the insert, where the journal must name the loan. */
    id: Generated<number>
    /** The key of the action that lent it, which a return made off line names. */
    loan_key: string | null
    /** May be forgotten once the loan has ended. */
    beneficiary: ColumnType<number, number, number | null>
    relative: number | null
    copy: number
    site: number
    status: Generated<LoanStatus>
    start_date: CalendarDay
    end_date: CalendarDay
    return_date: CalendarDay | null
    duration_value: number
    duration_type: DurationType
    amount: Generated<Money>
    free: Generated<boolean>
    free_reason: number | null
    comment: Generated<string>
    return_comment: Generated<string>
    state: CopyState | null
    delay_reason: number | null
    delay_comment: Generated<string>
    penalty_count: number | null
    penalty_duration: number | null
    penalty_amount: Money | null
    override_reason: string | null
    end_date_flagged: Generated<boolean>
    conditions_given: boolean | null
    conditions_label: string | null
    conditions_version: string | null
    reminded_on: CalendarDay | null
    /** Of the reader and of the title on the day of the loan. */
    age_band: AgeBand | null
    audience: Audience | null
    lent_by: number | null
    lent_at: Instant
    lent_received_at: Instant
    lent_device: string | null
    returned_by: number | null
    returned_at: Instant | null
    returned_received_at: Instant | null
    returned_device: string | null
    state_before_return: CopyState | null
    deleted_at: Instant | null
  }
  loan_renewals: {
    id: Id
    loaning: number
    renewed_on: CalendarDay
    from_date: CalendarDay
    to_date: CalendarDay
    user_id: number | null
    device_id: string | null
    received_at: Instant
  }
  reservations: {
    id: Id
    beneficiary_id: number
    reference_id: number
    copy_id: number | null
    site: number | null
    start_date: CalendarDay | null
    end_date: CalendarDay | null
    status: Generated<'confirmed' | 'waiting' | 'canceled' | 'refused'>
    source: Generated<'media' | 'online'>
    reservation_date: Generated<Instant>
    /** Its place among those that wait for the title without dates; kept by triggers. */
    queue_position: number | null
    /** In whose order they are served: when it was asked for, or when it went back to the end. */
    queued_at: Generated<Instant>
    comment: Generated<string>
    cycle_value: number | null
    /** The copy that is kept for the person, since when, and until which day; null while it is not there. */
    set_aside_copy: number | null
    set_aside_at: Instant | null
    pickup_until: CalendarDay | null
    fulfilled_by: number | null
    deleted_at: Instant | null
  }
  settlements: {
    id: Id
    resolves: string
    choice: SettleChoice
    reason: string | null
    motive: string | null
    action: JSONColumnType<object>
    settled_by: number
    settled_at: Instant
    device_id: string | null
    loaning: number | null
  }
  /** Loans by day, site and status: the sum of these lines, kept by triggers. */
  loan_tallies: {
    start_date: CalendarDay
    site: number
    status: LoanStatus
    loans: number
  }
  /** What figures of a period are made of: the sums of these lines, kept by triggers. */
  lending_tallies: {
    span: 'day' | 'month'
    /** The day, or the first of the month, on which the loans began. */
    starts_on: CalendarDay
    site: number
    medium: number | null
    category: number | null
    status: LoanStatus
    /** Brought back after its day. */
    late: boolean
    /** When it is expected back; null unless it is out. */
    due_on: CalendarDay | null
    loans: number
    amount: Money
  }
  /** Loans that were not cancelled, by whom they were for. */
  public_tallies: {
    month: CalendarDay
    site: number
    medium: number | null
    audience: Audience | null
    age_band: AgeBand | null
    loans: number
  }
  return_tallies: { day: CalendarDay; site: number; returns: number }
  /** What figures need of a loan whose reader was forgotten; of one that is linked, the days before it alone. */
  cut_loans: {
    loaning: number
    /** The day of the loan that its reader made before it, anywhere and at its site. */
    previous_on: CalendarDay | null
    previous_here_on: CalendarDay | null
    cut_on: CalendarDay | null
    contract_type: string | null
    agency_id: number | null
    /** The first day of the month. */
    registered_on: CalendarDay | null
    commune: string | null
    kind: ReaderKind | null
  }
  /** The last day on which a reader borrowed what was cut since, by site. */
  last_cut_loans: { beneficiary: number; site: number; day: CalendarDay; active_on: CalendarDay }
}
