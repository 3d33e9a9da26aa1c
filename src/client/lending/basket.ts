import type { BodyOf } from '../../contract/endpoint.ts'
import type { RefusalReason } from '../../domain/refusal-reasons.ts'
import type { lendCopy } from '../../contract/loans.ts'
import type { Medium } from '../../contract/media.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { alreadyLent, notAvailable, obstacleToLend } from '../../domain/copy-obstacles.ts'
import { dueWords } from '../../domain/due-words.ts'
import {
  type Beyond,
  defaultDuration,
  type Duration,
  type DueSteps,
  eligibilityRefusals,
  loanAmount,
  type LoanBounds,
  stepsToDue,
  termsBeyondBounds,
} from '../../domain/loan-rules.ts'
import { type Money, sumOfMoney } from '../../domain/money.ts'
import type { Verdict } from '../../offline/verdict.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { Awaited } from '../reservations/awaited.ts'
import type { OpenAt } from '../loans/open-days.ts'

/** A copy in the basket of a loan, with what was settled about it alone. */
export type BasketLine = {
  copy: CounterCopy
  /** The server's or the device's verdict; null until it was asked. */
  verdict: Verdict | null
  /** Typed by the person; null is the rule's own: price times duration. */
  amount: Money | null
  /** Why it is lent though the reader is not eligible. */
  override_reason: string | null
  /** Why its terms go beyond the bounds; asked for again when they change. */
  bounds_motive: string | null
  /** Who waits for it, once the person lends all the same; null until then. */
  passed: readonly Awaited[] | null
  /** Whether the reader was handed the conditions of its medium. */
  conditions_given: boolean
  failure: LineFailure | null
}

/** The last refusal; `entry_id` is its action's key, or null where this device refused. */
export type LineFailure = {
  entry_id: string | null
  message: string
  reason: RefusalReason | null
  violations: readonly Violation[]
  /** Who waits for the copy, as the server told: it may be set aside for the first instead. */
  awaited?: readonly Awaited[]
}

type Violation = { propertyPath: string; message: string }

/** What holds for all lines. `duration` null is each medium's own; a change applies to all. */
export type LoanTerms = {
  /** Null is the day of the loan, whenever it is saved. */
  start_date: CalendarDay | null
  duration: Duration | null
  comment: string
  free: boolean
  free_reason: number | null
}

export const newLine = (copy: CounterCopy): BasketLine => ({
  copy,
  verdict: null,
  amount: null,
  override_reason: null,
  bounds_motive: null,
  passed: null,
  conditions_given: false,
  failure: null,
})

/** Its `id` only tells it from others, and is no copy's. */
export const copyToVerify = (bar_code: string, id: number): CounterCopy => ({
  id,
  bar_code,
  name: bar_code,
  reference: 0,
  status: 'Disponible',
  state: 'GOOD',
  price: '0.00',
  type: 'Location',
  cycle_type: null,
  cycle_value: null,
  site: 0,
  medium: null,
  reservations: [],
  capacity: null,
  holder: null,
  is_code_alone: true,
})

/** Media of a loan whose conditions are to be handed over, once for all the copies of each. */
export function mediaWithConditions(lines: readonly BasketLine[]): Medium[] {
  const media = lines.flatMap((line) => (isSale(line) || !line.copy.medium ? [] : [line.copy.medium]))
  const asking = media.filter(({ loaning_conditions_enabled }) => loaning_conditions_enabled)
  return [...new Map(asking.map((medium) => [medium.id, medium])).values()]
}

export const areConditionsGiven = (lines: readonly BasketLine[], medium: number | undefined): boolean =>
  lines.some(({ copy, conditions_given }) => conditions_given && copy.medium?.id === medium)

export const noTerms: LoanTerms = {
  start_date: null,
  duration: null,
  comment: '',
  free: false,
  free_reason: null,
}

export const durationOf = (
  { copy }: Pick<BasketLine, 'copy'>,
  { duration }: Pick<LoanTerms, 'duration'>,
): Duration => duration ?? defaultDuration(copy.medium ?? { duration: null, duration_type: null })

/** The day of the loan, and when its site is open. */
export type LendingDay = { today: CalendarDay; openAt: OpenAt }

/** How the day of its return is found. */
export const stepsOf = (
  line: Pick<BasketLine, 'copy'>,
  terms: Pick<LoanTerms, 'duration' | 'start_date'>,
  { today, openAt }: LendingDay,
): DueSteps =>
  stepsToDue(
    terms.start_date ?? today,
    durationOf(line, terms),
    line.copy,
    line.copy.medium?.end_day ?? null,
    openAt(line.copy),
  )

export const dueOf = (...of: Parameters<typeof stepsOf>): CalendarDay => stepsOf(...of).due

const noMedium = { duration: null, duration_type: null, end_day: null }

/** What of a line's terms goes beyond the bounds without a motive. */
export const beyondOf = (line: BasketLine, terms: LoanTerms, on: LendingDay, bounds: LoanBounds): Beyond[] =>
  line.bounds_motive === null && !isSale(line) && !line.copy.is_code_alone
    ? termsBeyondBounds(
        { start_date: terms.start_date ?? on.today, end_date: dueOf(line, terms, on) },
        {
          day: on.today,
          cycle: line.copy,
          medium: line.copy.medium ?? noMedium,
          calendar: on.openAt(line.copy),
        },
        bounds,
      )
    : []

/** The refusal of terms beyond the bounds by this device, as the server would word it. */
export function failureBeyond(beyond: readonly Beyond[], before: LineFailure | null): LineFailure {
  const violations = beyond.map(({ bound, message }) => ({
    propertyPath: bound === 'longest_loan_days' ? 'duration_value' : 'start_date',
    message,
  }))
  const message = violations.map((one) => one.message).join(' ')
  return { entry_id: before?.entry_id ?? null, message, reason: 'BEYOND_BOUNDS', violations }
}

/** A refusal whose terms were answered; its action is still to be settled. */
export const failureHeeded = (failure: LineFailure | null): LineFailure | null =>
  failure === null || failure.entry_id === null ? null : { ...failure, violations: [] }

/** What refusals say of the terms, at the fields of their form. */
export function termErrors(lines: readonly BasketLine[]): {
  start_date: string | undefined
  duration: string | undefined
} {
  const violations = lines.flatMap(({ failure }) => failure?.violations ?? [])
  const at = (...paths: string[]) =>
    violations.find(({ propertyPath }) => paths.includes(propertyPath))?.message
  return { start_date: at('start_date'), duration: at('duration_value', 'expected_return_date') }
}

/** A copy of type Vente is sold: it has a price, and comes back on no day. */
export const isSale = ({ copy }: Pick<BasketLine, 'copy'>): boolean => copy.type === 'Vente'

/** Line amount = copy price, for a loan times duration value, unless typed; nothing when free. */
export const amountOf = (line: BasketLine, terms: LoanTerms): Money =>
  terms.free
    ? '0.00'
    : (line.amount ??
      loanAmount(line.copy.price, isSale(line) ? 1 : durationOf(line, terms).duration_value, false))

export const totalOf = (lines: readonly BasketLine[], terms: LoanTerms): Money =>
  sumOfMoney(lines.map((line) => amountOf(line, terms)))

/** The duration that all lines have, for the fields that change it; null when they differ. */
export function sharedDuration(lines: readonly BasketLine[], terms: LoanTerms): Duration | null {
  if (terms.duration) return terms.duration
  const [first, ...others] = lines
    .filter((line) => !isSale(line) && !line.copy.is_code_alone)
    .map((line) => durationOf(line, terms))
  if (!first) return null
  const isSame = (other: Duration) =>
    other.duration_value === first.duration_value && other.duration_type === first.duration_type
  return others.every(isSame) ? first : null
}

/** Why a copy cannot join the basket whoever takes it; null when it can. */
export function whyNotAddable(
  copy: CounterCopy,
  lines: readonly BasketLine[],
  may: { sell: boolean },
): string | null {
  const title = `«\u00a0${copy.name}\u00a0»`
  if (lines.some((line) => line.copy.id === copy.id)) return `${title} est déjà dans le prêt.`
  const isOut = copy.status === 'En Location' && copy.holder?.beneficiary_name
  const obstacle = obstacleToLend(copy, isOut ? copy.holder : null)
  if (obstacle?.is === 'lent')
    return alreadyLent(copy.name, `${obstacle.loan.beneficiary_name}, ${dueWords(obstacle.loan)}`)
  if (obstacle?.is === 'unavailable') return notAvailable(copy.name, obstacle.status)
  return obstacle?.is === 'for-sale' && !may.sell
    ? `${title} est à vendre, et votre profil ne permet pas de vendre.`
    : null
}

/** Why a medium's limit is reached, with this basket and the reader's `open_loans` of that medium. */
export function quotaReasons(copy: CounterCopy, lines: readonly BasketLine[], open_loans: number): string[] {
  if (!copy.medium) return []
  const inBasket = lines.filter((line) => !isSale(line) && line.copy.medium?.id === copy.medium?.id).length
  const refusals = eligibilityRefusals({
    start_date: '',
    beneficiary: {
      exit_date: null,
      is_active: true,
      contract_type: null,
      beneficiary_status: null,
      dossiers: [],
    },
    medium: { ...copy.medium, max_late: null, eligibility: { contracts: [], statuses: [], dossiers: [] } },
    open_loans: open_loans + inBasket,
    late_loans: 0,
  })
  return refusals.map(({ message }) => message)
}

type Chosen = Omit<
  BodyOf<typeof lendCopy>,
  'copy' | 'beneficiary' | 'expected_return_date' | 'occurred_at' | 'device_id'
>

/** The situation of a save: for whom, and which day. */
type Saving = { relative: number | null; today: CalendarDay }

/** Only what the person chose, for the server knows the rest. */
export function termsToSend(line: BasketLine, terms: LoanTerms, { relative, today }: Saving): Chosen {
  return {
    ...(relative === null ? {} : { relative }),
    ...terms.duration,
    ...(terms.start_date === null || terms.start_date === today ? {} : { start_date: terms.start_date }),
    ...(terms.comment.trim() === '' ? {} : { comment: terms.comment.trim() }),
    ...(terms.free ? { free: true, free_reason: terms.free_reason } : {}),
    ...(terms.free || line.amount === null ? {} : { amount: line.amount }),
    ...overrideOf(line),
    ...(line.copy.medium?.loaning_conditions_enabled ? { conditions_given: line.conditions_given } : {}),
    despite_reservations: line.passed !== null,
  }
}

export const saleNeedsNetwork =
  'Une vente demande le réseau\u202f: elle reste ici, et s’enregistre quand il revient.'

/** What a sale takes of the same terms: how long and until when mean nothing for it. */
export function saleToSend(
  line: BasketLine,
  terms: LoanTerms,
  { relative, today }: Saving,
): Pick<Chosen, 'relative' | 'start_date' | 'comment' | 'free' | 'free_reason' | 'amount'> {
  const {
    relative: for_,
    start_date,
    comment,
    free,
    free_reason,
    amount,
  } = termsToSend(line, terms, {
    relative,
    today,
  })
  const chosen = { relative: for_, start_date, comment, free, free_reason, amount }
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined))
}

/** Longest motive that the call takes. */
const longestMotive = 500

/** Both motives where the reader and the terms were refused. */
function overrideOf({ override_reason, bounds_motive }: BasketLine): Pick<Chosen, 'override_reason'> {
  const motives = [...new Set([override_reason, bounds_motive])].filter((motive) => motive !== null)
  return motives.length === 0 ? {} : { override_reason: motives.join(' · ').slice(0, longestMotive) }
}
