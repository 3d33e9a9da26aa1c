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
import { nextOpenDay, type OpenCalendar, openDaysBetween } from './open-days.ts'

/** A cycle is the copy's `cycle_value` times its `cycle_type`. */
export const durationTypes = { MONTH: 'Mois', WEEK: 'Semaine(s)', DAY: 'Jour(s)', CYCLE: 'Cycle(s)' } as const
export type DurationType = keyof typeof durationTypes
export const longestDuration = 1000
/** A duration that leads beyond the calendar has no date, so there is a limit. */
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

export const durationWords = ({ duration_value, duration_type }: Duration): string =>
  `${duration_value} ${unitWords[duration_type][duration_value > 1 ? 1 : 0]}`

export const unitsOf = (type: DurationType): string => unitWords[type][1]

export type Cycle = { cycle_value: number | null; cycle_type: CalendarUnit | null }

export type MediumRules = {
  duration: number | null
  duration_type: DurationType | null
  /** Weekday (Monday 1 to Sunday 7) to which the expected return moves forward. */
  end_day: number | null
  max_loaning: number | null
  max_late: number | null
  penalty_enabled: boolean
  penalty_amount: Money | null
  penalty_duration_type: CalendarUnit | null
  eligibility: EligibilityRule
}

/** An empty list allows everyone. */
export type EligibilityRule = { contracts: string[]; statuses: string[]; dossiers: string[] }

const plusUnits: Record<CalendarUnit, (day: CalendarDay, count: number) => CalendarDay> = {
  DAY: plusDays,
  WEEK: plusWeeks,
  MONTH: plusMonths,
}

/** One day for a medium without a duration. */
export function defaultDuration(medium: Pick<MediumRules, 'duration' | 'duration_type'>): Duration {
  return medium.duration && medium.duration_type
    ? { duration_value: medium.duration, duration_type: medium.duration_type }
    : { duration_value: 1, duration_type: 'DAY' }
}

/** How a due date is found: counted, moved to the medium's weekday, then to a day when the site is open. */
export type DueSteps = { counted: CalendarDay; wanted: CalendarDay; due: CalendarDay }

/** A copy without a cycle counts cycles in days. An open day wins over the medium's weekday. */
export function stepsToDue(
  start_date: CalendarDay,
  { duration_value, duration_type }: Duration,
  cycle: Cycle,
  end_day: number | null,
  calendar: OpenCalendar,
): DueSteps {
  const counted =
    duration_type === 'CYCLE'
      ? plusUnits[cycle.cycle_type ?? 'DAY'](start_date, duration_value * (cycle.cycle_value ?? 1))
      : plusUnits[duration_type](start_date, duration_value)
  const wanted = end_day === null ? counted : plusDays(counted, (end_day - weekdayOf(counted) + 7) % 7)
  return { counted, wanted, due: nextOpenDay(wanted, calendar) }
}

export const dueOn = (...of: Parameters<typeof stepsToDue>): CalendarDay => stepsToDue(...of).due

type Extended = Duration & { start_date: CalendarDay; end_date: CalendarDay; end_date_flagged: boolean }

/** What an extension counts, and from when: a date against the rules goes on from itself. */
export const extensionOf = (loan: Extended, added: number): [from: CalendarDay, duration: Duration] =>
  loan.end_date_flagged
    ? [loan.end_date, { duration_value: added, duration_type: loan.duration_type }]
    : [loan.start_date, { duration_value: loan.duration_value + added, duration_type: loan.duration_type }]

/** From its start, so that twice one month is two. */
export const extendedDueOn = (
  loan: Extended,
  added: number,
  cycle: Cycle,
  end_day: number | null,
  calendar: OpenCalendar,
): CalendarDay => dueOn(...extensionOf(loan, added), cycle, end_day, calendar)

/** Beyond these parameters, lending takes LOANING_OVERRIDE and a motive. */
export type LoanBounds = {
  longest_loan_days: number
  earliest_start_days: number
  latest_start_days: number
}

/** A bound that the device does not know is left to the server. */
export const boundsOf = (days: (code: keyof LoanBounds) => number | undefined): LoanBounds => ({
  longest_loan_days: days('longest_loan_days') ?? Infinity,
  earliest_start_days: days('earliest_start_days') ?? Infinity,
  latest_start_days: days('latest_start_days') ?? Infinity,
})

/** `limit`: the furthest day that the bound allows this loan. */
export type Beyond = { bound: keyof LoanBounds; days: number; limit: CalendarDay; message: string }

export type BoundedLoan = {
  /** From which the start is judged: the day of lending, or a start that was accepted then. */
  day: CalendarDay
  /** The day of lending, where `day` is not. */
  lent_on?: CalendarDay
  cycle: Cycle
  medium: Pick<MediumRules, 'duration' | 'duration_type' | 'end_day'>
  /** Of the loan's site. */
  calendar: OpenCalendar
}

/** Ten years, whatever the motive and the parameters. */
export const longestLoanDays = 3660

export function termsBeyondBounds(
  { start_date, end_date }: { start_date: CalendarDay; end_date: CalendarDay },
  { day, lent_on = day, cycle, medium, calendar }: BoundedLoan,
  { longest_loan_days, earliest_start_days, latest_start_days }: LoanBounds,
): Beyond[] {
  const beyond: Beyond[] = []
  if (daysBetween(start_date, day) > earliest_start_days) {
    const limit = plusDays(day, -earliest_start_days)
    const message = `La date de début remonte à plus de ${daysInWords(earliest_start_days)}\u202f: au plus tôt le ${frenchDay(limit)}.`
    beyond.push({ bound: 'earliest_start_days', days: earliest_start_days, limit, message })
  }
  if (daysBetween(day, start_date) > latest_start_days) {
    const limit = plusDays(day, latest_start_days)
    const message = `La date de début est dans plus de ${daysInWords(latest_start_days)}\u202f: au plus tard le ${frenchDay(limit)}.`
    beyond.push({ bound: 'latest_start_days', days: latest_start_days, limit, message })
  }
  // A start to come would else add its wait to what a loan may last.
  const from = start_date < lent_on ? start_date : lent_on
  if (daysBetween(from, end_date) > longest_loan_days) {
    // Moving forward to the medium's weekday or to an open day does not make a loan too long.
    const furthest = (begins: CalendarDay, duration: Duration) =>
      dueOn(begins, duration, cycle, medium.end_day, calendar)
    const byBound = furthest(from, { duration_value: longest_loan_days, duration_type: 'DAY' })
    const byMedium = furthest(start_date, defaultDuration(medium))
    const limit = byMedium > byBound ? byMedium : byBound
    if (end_date > limit) {
      const days = limit === byBound ? longest_loan_days : daysBetween(from, limit)
      const since = from < start_date ? `, compté du ${frenchDay(from)}` : ''
      const message = `Le prêt dure plus de ${daysInWords(days)}${since}\u202f: retour prévu au plus tard le ${frenchDay(limit)}.`
      beyond.push({ bound: 'longest_loan_days', days, limit, message })
    }
  }
  return beyond
}

/** Why a loan is not extended once more, by how often its medium lets it be; that takes LOANING_OVERRIDE and a motive too. */
export function renewalRefusal(
  renewals: number,
  { name, max_renewals }: { name: string; max_renewals: number | null },
): string | null {
  if (max_renewals === null || renewals < max_renewals) return null
  return max_renewals === 0
    ? `Les prêts du support «\u00a0${name}\u00a0» ne se prolongent pas.`
    : `Ce prêt a déjà été prolongé ${renewals} fois, autant que le permet le support «\u00a0${name}\u00a0».`
}

const daysInWords = (days: number): string => `${days} jour${days > 1 ? 's' : ''}`

export function isLate(
  loan: { end_date: CalendarDay; return_date: CalendarDay | null },
  today: CalendarDay,
): boolean {
  return (loan.return_date ?? today) > loan.end_date
}

export type Penalty = { penalty_count: number; penalty_duration: number; penalty_amount: Money }

/** What the library counts as days of lateness: those after the grace, closed ones among them unless it says otherwise. */
export type PenaltyRule = { grace_days: number; open_days_only: boolean }

/** Null when no penalty applies. `penalty_duration`: days that count after grace; `penalty_count`: started units. */
export function penaltyOf(
  { end_date, return_date }: { end_date: CalendarDay; return_date: CalendarDay },
  { grace_days, open_days_only }: PenaltyRule,
  medium: Pick<MediumRules, 'penalty_enabled' | 'penalty_amount' | 'penalty_duration_type'>,
  calendar: OpenCalendar,
): Penalty | null {
  const days_late = open_days_only
    ? openDaysBetween(end_date, return_date, calendar)
    : daysBetween(end_date, return_date)
  const penalty_duration = days_late - grace_days
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
  open_loans: number
  late_loans: number
}

export type Refusal = { code: RefusalCode; message: string }
type RefusalCode = 'INACTIVE' | 'EXPIRED' | 'CONTRACT' | 'STATUS' | 'DOSSIER' | 'MAX_LOANING' | 'MAX_LATE'

/** Why a reader may not borrow; empty when eligible. */
export function eligibilityRefusals(facts: EligibilityFacts): Refusal[] {
  const { beneficiary, medium, start_date } = facts
  const { contracts, statuses, dossiers } = medium.eligibility
  const refusals: Refusal[] = []
  const refuseWhen = (condition: boolean, code: RefusalCode, message: string) => {
    if (condition) refusals.push({ code, message })
  }
  const refused = (allowed: string[], value: string | null) =>
    allowed.length > 0 && (value === null || !allowed.includes(value))

  refuseWhen(!beneficiary.is_active, 'INACTIVE', 'Le lecteur n’est plus actif.')
  if (beneficiary.exit_date !== null && beneficiary.exit_date <= start_date) {
    refuseWhen(true, 'EXPIRED', `L’inscription a pris fin le ${frenchDay(beneficiary.exit_date)}.`)
  }
  refuseWhen(
    refused(contracts, beneficiary.contract_type),
    'CONTRACT',
    `Le contrat du lecteur ne permet pas d’emprunter le support «\u00a0${medium.name}\u00a0».`,
  )
  refuseWhen(
    refused(statuses, beneficiary.beneficiary_status),
    'STATUS',
    `Le statut du lecteur ne permet pas d’emprunter le support «\u00a0${medium.name}\u00a0».`,
  )
  refuseWhen(
    dossiers.length > 0 && !dossiers.some((dossier) => beneficiary.dossiers.includes(dossier)),
    'DOSSIER',
    `Aucun dossier du lecteur ne permet d’emprunter le support «\u00a0${medium.name}\u00a0».`,
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
      `Le lecteur a ${facts.late_loans} prêt${facts.late_loans > 1 ? 's' : ''} en retard (au plus ${medium.max_late}).`,
    )
  }
  return refusals
}

/** Copy price times duration value; nothing for a free loan. */
export const loanAmount = (price: Money, duration_value: number, free: boolean): Money =>
  free ? '0.00' : timesMoney(price, duration_value)
