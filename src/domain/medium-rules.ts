import type { CalendarUnit } from './loan-rules.ts'
import type { Money } from './money.ts'

/** What each penalty is for. */
export const penaltyUnitWords: Record<CalendarUnit, string> = {
  DAY: 'Jour de retard',
  WEEK: 'Semaine de retard commencée',
  MONTH: 'Mois de retard commencé',
}

type Rules = {
  penalty_enabled: boolean
  penalty_amount: Money | null
  loaning_conditions_enabled: boolean
  loaning_conditions_label: string | null
}

/** Conditions that are asked for need a label. */
export const missingLabel = ({
  loaning_conditions_enabled: isAsked,
  loaning_conditions_label: label,
}: Pick<Rules, 'loaning_conditions_enabled' | 'loaning_conditions_label'>): string | null =>
  isAsked && !label?.trim() ? 'Donnez un libellé aux conditions de prêt.' : null

/** A penalty that is off has no amount. */
export const penaltyKept = ({
  penalty_enabled,
  penalty_amount,
}: Pick<Rules, 'penalty_enabled' | 'penalty_amount'>): Money | null =>
  penalty_enabled ? penalty_amount : null
