import type { CalendarUnit, DurationType } from '../loan-rules.ts'
import type { Money } from '../money.ts'
import type { ParameterCode } from '../parameters.ts'
import { deliveredProfiles, type Right } from '../rights.ts'

/** The rules of lending that a trade usually begins with; what is not said is none. */
export type PresetMedium = {
  name: string
  code: string
  duration: number
  duration_type: DurationType
  max_loaning: number | null
  max_late: number | null
  penalty_enabled: boolean
  penalty_amount: Money | null
  penalty_duration_type: CalendarUnit | null
  loaning_conditions_enabled: boolean
  loaning_conditions_label: string | null
}

export type PresetProfile = { name: string; about: string; rights: readonly Right[] }

/** What a new environment of one trade lends, to whom and why it forgives; all of it is changed freely. */
export type Preset = {
  title: string
  /** One sentence under the title. */
  about: string
  media: readonly PresetMedium[]
  categories: readonly string[]
  /** Beside those that every environment has. */
  delay_reasons: readonly string[]
  free_reasons: readonly string[]
  contracts: readonly string[]
  /** Beside the four that are delivered. */
  profiles: readonly PresetProfile[]
  /** Those that differ from what is delivered. */
  parameters: readonly { code: ParameterCode; value: string }[]
}

const units = { jour: 'DAY', semaine: 'WEEK', mois: 'MONTH', cycle: 'CYCLE' } as const
type Unit = keyof typeof units

type Limits = {
  most: number | null
  late?: number
  penalty?: readonly [amount: Money, per: Exclude<Unit, 'cycle'>]
  conditions?: string
}

export const medium = (
  [name, code]: readonly [name: string, code: string],
  [duration, unit]: readonly [duration: number, unit: Unit],
  { most, late, penalty, conditions }: Limits,
): PresetMedium => ({
  name,
  code,
  duration,
  duration_type: units[unit],
  max_loaning: most,
  max_late: late ?? null,
  penalty_enabled: penalty !== undefined,
  penalty_amount: penalty ? penalty[0] : null,
  penalty_duration_type: penalty ? units[penalty[1]] : null,
  loaning_conditions_enabled: conditions !== undefined,
  loaning_conditions_label: conditions ?? null,
})

/** Whoever lends and returns, and more. */
export const atTheCounter = (...more: readonly Right[]): readonly Right[] => [
  ...new Set([...deliveredProfiles.Bénévole, ...more]),
]
