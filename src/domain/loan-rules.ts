import {
  type CalendarDay,
  daysBetween,
  frenchDay,
  plusDays,
  plusMonths,
  plusWeeks,
  weekdayOf,
} from './calendar-day.ts'
import { type Money, timesMoney } from './money.ts'

/** Units of a duration (file 1, section 3). A cycle is the copy's own: `cycle_value` times its `cycle_type`. */
export const durationTypes = { MONTH: 'Mois', WEEK: 'Semaine(s)', DAY: 'Jour(s)', CYCLE: 'Cycle(s)' } as const
export type DurationType = keyof typeof durationTypes
/** The longest duration that the contract takes, whatever its unit. */
export const longestDuration = 1000
/** Whether what was typed is a duration: a date that lies beyond the calendar has no words. */
export const isDurationValue = (value: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= longestDuration
export type CalendarUnit = Exclude<DurationType, 'CYCLE'>

export const copyStates = {
  VERY_GOOD: 'Très bon état',
  GOOD: 'Bon état',
  DAMAGED: 'Endommagé',
  UNUSABLE: 'Inutilisable',
} as const
export type CopyState = keyof typeof copyStates

export const copyStatuses = ['Disponible', 'En Location', 'En transfert', 'Non Disponible'] as const
export type CopyStatus = (typeof copyStatuses)[number]

export const loanStatuses = { in_progress: 'En cours', finished: 'Terminé', cancelled: 'Annulé' } as const
export type LoanStatus = keyof typeof loanStatuses

export type Duration = {
  duration_value: number
  duration_type: DurationType
}

const unitWords: Record<DurationType, readonly [one: string, many: string]> = {
  MONTH: ['mois', 'mois'],
  WEEK: ['semaine', 'semaines'],
  DAY: ['jour', 'jours'],
  CYCLE: ['cycle', 'cycles'],
}

/** « 1 semaine », « 3 mois »: a duration as sentences say it. */
export const durationWords = ({ duration_value, duration_type }: Duration): string =>
  `${duration_value} ${unitWords[duration_type][duration_value > 1 ? 1 : 0]}`

/** « semaines »: what a field counts. */
export const unitsOf = (type: DurationType): string => unitWords[type][1]

/** A copy's own cycle; needed for durations in cycles only. */
export type Cycle = { cycle_value: number | null; cycle_type: CalendarUnit | null }

export type MediumRules = {
  duration: number | null
  duration_type: DurationType | null
  /** Weekday (Monday 1 to Sunday 7) on which loans of this medium end; the expected return moves forward to it. */
  end_day: number | null
  max_loaning: number | null
  max_late: number | null
  penalty_enabled: boolean
  penalty_amount: Money | null
  penalty_duration_type: CalendarUnit | null
  eligibility: EligibilityRule
}

/** Names allowed by a medium; an empty list allows everyone. */
export type EligibilityRule = { contracts: string[]; statuses: string[]; dossiers: string[] }

const plusUnits: Record<CalendarUnit, (day: CalendarDay, count: number) => CalendarDay> = {
  DAY: plusDays,
  WEEK: plusWeeks,
  MONTH: plusMonths,
}

/** The medium's duration, else one day (page of calls, « Default duration »). */
export function defaultDuration(medium: Pick<MediumRules, 'duration' | 'duration_type'>): Duration {
  return medium.duration && medium.duration_type
    ? { duration_value: medium.duration, duration_type: medium.duration_type }
    : { duration_value: 1, duration_type: 'DAY' }
}

/** Expected return of a loan. A copy without a cycle of its own counts cycles in days. */
export function dueOn(
  start_date: CalendarDay,
  { duration_value, duration_type }: Duration,
  cycle: Cycle,
  end_day: number | null,
): CalendarDay {
  const due =
    duration_type === 'CYCLE'
      ? plusUnits[cycle.cycle_type ?? 'DAY'](start_date, duration_value * (cycle.cycle_value ?? 1))
      : plusUnits[duration_type](start_date, duration_value)
  if (end_day === null) return due
  return plusDays(due, (end_day - weekdayOf(due) + 7) % 7)
}

/**
 * Expected return of a loan that is extended by `added` of its units: by its whole duration from its start, so that two extensions by a
 * month from 31 January end where one by two months does. A date that was told to the reader against the rules is gone on from.
 */
export function extendedDueOn(
  loan: Duration & { start_date: CalendarDay; end_date: CalendarDay; end_date_flagged: boolean },
  added: number,
  cycle: Cycle,
  end_day: number | null,
): CalendarDay {
  const { duration_type } = loan
  return loan.end_date_flagged
    ? dueOn(loan.end_date, { duration_value: added, duration_type }, cycle, end_day)
    : dueOn(loan.start_date, { duration_value: loan.duration_value + added, duration_type }, cycle, end_day)
}

/** How far what a lender says may go, by the parameters of those names; beyond it takes LOANING_OVERRIDE and a motive. */
export type LoanBounds = { longest_loan_days: number; earliest_start_days: number }

/** The bounds that the parameters give. A device that does not know one leaves it to the server. */
export const boundsOf = (days: (code: keyof LoanBounds) => number | undefined): LoanBounds => ({
  longest_loan_days: days('longest_loan_days') ?? Infinity,
  earliest_start_days: days('earliest_start_days') ?? Infinity,
})

/** A bound that is passed: the days it allows, and the furthest day of this loan within it. */
export type Beyond = { bound: keyof LoanBounds; days: number; limit: CalendarDay; message: string }

/** What a loan's bounds depend on: the day it is made, the copy's cycle, and the medium, whose own duration is never too long. */
export type BoundedLoan = {
  day: CalendarDay
  cycle: Cycle
  medium: Pick<MediumRules, 'duration' | 'duration_type' | 'end_day'>
}

/** The longest loan there is, whatever the motive and the parameters: ten years. */
export const longestLoanDays = 3660

/** What of a loan's terms goes beyond the bounds; empty when nothing does. */
export function termsBeyondBounds(
  { start_date, end_date }: { start_date: CalendarDay; end_date: CalendarDay },
  { day, cycle, medium }: BoundedLoan,
  { longest_loan_days, earliest_start_days }: LoanBounds,
): Beyond[] {
  const beyond: Beyond[] = []
  if (daysBetween(start_date, day) > earliest_start_days) {
    const limit = plusDays(day, -earliest_start_days)
    const message = `La date de début remonte à plus de ${daysInWords(earliest_start_days)}\u202f: au plus tôt le ${frenchDay(limit)}.`
    beyond.push({ bound: 'earliest_start_days', days: earliest_start_days, limit, message })
  }
  if (daysBetween(start_date, end_date) > longest_loan_days) {
    // Dated as the rules date a loan: one that moves forward to the medium's weekday is no longer for it.
    const furthest = (duration: Duration) => dueOn(start_date, duration, cycle, medium.end_day)
    const byBound = furthest({ duration_value: longest_loan_days, duration_type: 'DAY' })
    const byMedium = furthest(defaultDuration(medium))
    const limit = byMedium > byBound ? byMedium : byBound
    if (end_date > limit) {
      const days = limit === byBound ? longest_loan_days : daysBetween(start_date, limit)
      const message = `Le prêt dure plus de ${daysInWords(days)}\u202f: retour prévu au plus tard le ${frenchDay(limit)}.`
      beyond.push({ bound: 'longest_loan_days', days, limit, message })
    }
  }
  return beyond
}

const daysInWords = (days: number): string => `${days} jour${days > 1 ? 's' : ''}`

/** Late on a day: not returned and expected before that day, or returned after the expected return. */
export function isLate(
  loan: { end_date: CalendarDay; return_date: CalendarDay | null },
  today: CalendarDay,
): boolean {
  return (loan.return_date ?? today) > loan.end_date
}

export type Penalty = { penalty_count: number; penalty_duration: number; penalty_amount: Money }

/**
 * The penalty of a return, or null when none applies. `penalty_duration` is in days (after the days of grace),
 * `penalty_count` in started units of the medium's `penalty_duration_type`.
 */
export function penaltyOf(
  end_date: CalendarDay,
  return_date: CalendarDay,
  graceDays: number,
  medium: Pick<MediumRules, 'penalty_enabled' | 'penalty_amount' | 'penalty_duration_type'>,
): Penalty | null {
  const penalty_duration = daysBetween(end_date, return_date) - graceDays
  if (!medium.penalty_enabled || penalty_duration <= 0) return null
  const penalty_count = startedUnits(end_date, penalty_duration, medium.penalty_duration_type ?? 'DAY')
  return {
    penalty_count,
    penalty_duration,
    penalty_amount: timesMoney(medium.penalty_amount ?? '0.00', penalty_count),
  }
}

function startedUnits(from: CalendarDay, days: number, unit: CalendarUnit): number {
  if (unit === 'DAY') return days
  if (unit === 'WEEK') return Math.ceil(days / 7)
  const last = plusDays(from, days)
  let months = 1
  while (plusMonths(from, months) < last) months += 1
  return months
}

/** What must be known of a reader, a medium and a day to say whether a loan is allowed. */
export type EligibilityFacts = {
  start_date: CalendarDay
  beneficiary: {
    exit_date: CalendarDay | null
    is_active: boolean
    contract_type: string | null
    beneficiary_status: string | null
    dossiers: readonly string[]
  }
  medium: Pick<MediumRules, 'max_loaning' | 'max_late' | 'eligibility'> & { name: string }
  /** The reader's loans of that medium not returned. */
  open_loans: number
  /** The reader's late loans, of every medium. */
  late_loans: number
}

export type Refusal = { code: RefusalCode; message: string }
export type RefusalCode =
  'INACTIVE' | 'EXPIRED' | 'CONTRACT' | 'STATUS' | 'DOSSIER' | 'MAX_LOANING' | 'MAX_LATE'

/** Why a reader may not borrow; empty when eligible (page of calls, « Eligible »). */
export function eligibilityRefusals(facts: EligibilityFacts): Refusal[] {
  const { beneficiary, medium, start_date } = facts
  const { contracts, statuses, dossiers } = medium.eligibility
  const refusals: Refusal[] = []
  const refuseWhen = (condition: boolean, code: RefusalCode, message: string) => {
    if (condition) refusals.push({ code, message })
  }
  const refused = (allowed: string[], value: string | null) =>
    allowed.length > 0 && (value === null || !allowed.includes(value))

  refuseWhen(!beneficiary.is_active, 'INACTIVE', 'Le bénéficiaire n’est plus actif.')
  if (beneficiary.exit_date !== null && beneficiary.exit_date <= start_date) {
    refuseWhen(true, 'EXPIRED', `L’inscription a pris fin le ${frenchDay(beneficiary.exit_date)}.`)
  }
  refuseWhen(
    refused(contracts, beneficiary.contract_type),
    'CONTRACT',
    `Le contrat du bénéficiaire ne permet pas d’emprunter le support «\u00a0${medium.name}\u00a0».`,
  )
  refuseWhen(
    refused(statuses, beneficiary.beneficiary_status),
    'STATUS',
    `Le statut du bénéficiaire ne permet pas d’emprunter le support «\u00a0${medium.name}\u00a0».`,
  )
  refuseWhen(
    dossiers.length > 0 && !dossiers.some((dossier) => beneficiary.dossiers.includes(dossier)),
    'DOSSIER',
    `Aucun dossier du bénéficiaire ne permet d’emprunter le support «\u00a0${medium.name}\u00a0».`,
  )
  if (medium.max_loaning !== null) {
    refuseWhen(
      facts.open_loans >= medium.max_loaning,
      'MAX_LOANING',
      `Le nombre de prêts en cours du support «\u00a0${medium.name}\u00a0» est atteint (${medium.max_loaning}).`,
    )
  }
  if (medium.max_late !== null) {
    refuseWhen(
      facts.late_loans > medium.max_late,
      'MAX_LATE',
      `Le bénéficiaire a ${facts.late_loans} prêt${facts.late_loans > 1 ? 's' : ''} en retard (au plus ${medium.max_late}).`,
    )
  }
  return refusals
}

/** Line amount = copy price times duration value; nothing for a free loan (file 1, section 5). */
export const loanAmount = (price: Money, duration_value: number, free: boolean): Money =>
  free ? '0.00' : timesMoney(price, duration_value)
