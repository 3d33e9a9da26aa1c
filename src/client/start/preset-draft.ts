import type { BodyOf } from '../../contract/endpoint.ts'
import type { layPreset } from '../../contract/start-presets.ts'
import { weekdays } from '../../domain/calendar-day.ts'
import { durationWords, unitsOf } from '../../domain/loan-rules.ts'
import { frenchMoney } from '../../domain/money.ts'
import { deliveredParameters, type ParameterCode } from '../../domain/parameters.ts'
import { type PresetCode, presets } from '../../domain/presets/presets.ts'
import type { Preset, PresetMedium, PresetProfile } from '../../domain/presets/preset.ts'
import { counted } from '../ui/words.ts'

/** As it is typed: an emptied number is an empty text. */
export type DraftMedium = Omit<PresetMedium, 'duration' | 'max_loaning' | 'max_late' | 'penalty_amount'> & {
  isKept: boolean
  duration: number | string
  max_loaning: number | string
  max_late: number | string
  penalty_amount: string
}
type Kept<T> = T & { isKept: boolean }

const lists = ['categories', 'delay_reasons', 'free_reasons', 'contracts'] as const
export type ListName = (typeof lists)[number]

/** A preset as somebody edits it before it is laid down. */
export type Draft = {
  preset: PresetCode
  media: readonly DraftMedium[]
  profiles: readonly Kept<PresetProfile>[]
  parameters: readonly Kept<{ code: ParameterCode; value: string }>[]
} & Record<ListName, readonly string[]>

const kept = <T>(one: T): Kept<T> => ({ ...one, isKept: true })

export function draftOf(code: PresetCode): Draft {
  const { title: _, about: __, media, profiles, parameters, ...names }: Preset = presets[code]
  return {
    ...names,
    preset: code,
    media: media.map((medium) => ({
      ...kept(medium),
      max_loaning: medium.max_loaning ?? '',
      max_late: medium.max_late ?? '',
      penalty_amount: medium.penalty_amount ?? '',
    })),
    profiles: profiles.map(kept),
    parameters: parameters.map(kept),
  }
}

const counts = (value: number | string): number | null => (value === '' ? null : Number(value))

const mediumBody = (medium: DraftMedium) => {
  const { name, code, duration_type, penalty_amount, penalty_duration_type } = medium
  const isPenalised = penalty_amount !== ''
  return {
    name: name.trim(),
    code,
    duration: counts(medium.duration),
    duration_type,
    max_loaning: counts(medium.max_loaning),
    max_late: counts(medium.max_late),
    penalty_enabled: isPenalised,
    penalty_amount: isPenalised ? penalty_amount : null,
    penalty_duration_type: isPenalised ? (penalty_duration_type ?? 'WEEK') : null,
    loaning_conditions_enabled: medium.loaning_conditions_enabled,
    loaning_conditions_label: medium.loaning_conditions_label,
  }
}

export function bodyOf({ preset, media, profiles, parameters, ...names }: Draft): BodyOf<typeof layPreset> {
  return {
    preset,
    media: media.filter(({ isKept }) => isKept).map(mediumBody),
    categories: [...names.categories],
    delay_reasons: [...names.delay_reasons],
    free_reasons: [...names.free_reasons],
    contracts: [...names.contracts],
    profiles: profiles
      .filter(({ isKept }) => isKept)
      .map(({ name, rights }) => ({ name, rights: [...rights] })),
    parameters: parameters.filter(({ isKept }) => isKept).map(({ code, value }) => ({ code, value })),
  }
}

const penaltyUnits = { DAY: 'jour', WEEK: 'semaine', MONTH: 'mois' } as const

/** « 3 semaines · 10 au plus · 0,50 € par semaine de retard ». */
export function mediumWords(medium: DraftMedium): string {
  const { duration, duration_type, max_loaning, penalty_amount, penalty_duration_type } = medium
  return [
    duration === ''
      ? `durée en ${unitsOf(duration_type)}`
      : durationWords({ duration_value: Number(duration), duration_type }),
    max_loaning === '' ? 'sans limite' : `${max_loaning} au plus`,
    ...(penalty_amount === ''
      ? []
      : [`${frenchMoney(penalty_amount)} par ${penaltyUnits[penalty_duration_type ?? 'WEEK']} de retard`]),
    ...(medium.loaning_conditions_enabled ? ['avec conditions'] : []),
  ].join(' · ')
}

/** « Jours de grâce avant pénalité : 7 ». */
export function parameterSaid({ code, value }: { code: ParameterCode; value: string }): string {
  const { label, kind } = deliveredParameters[code]
  if (kind === 'flag') return `${label}\u202f: ${value === '1' ? 'oui' : 'non'}`
  if (code === 'calendar_week_day') return `Semaine du calendrier\u202f: à partir du ${weekday(value)}`
  return `${label}\u202f: ${value}`
}

const weekday = (value: string) => (weekdays[Number(value) - 1] ?? '').toLowerCase()

type Added = Record<'media' | 'categories' | 'reasons' | 'contracts' | 'profiles' | 'parameters', number>

/** « 7 supports, 15 catégories, 6 motifs ». */
export const addedWords = (added: Added): string =>
  [
    [added.media, 'support', 'supports'] as const,
    [added.categories, 'catégorie', 'catégories'] as const,
    [added.reasons, 'motif', 'motifs'] as const,
    [added.contracts, 'contrat', 'contrats'] as const,
    [added.profiles, 'profil', 'profils'] as const,
    [added.parameters, 'réglage', 'réglages'] as const,
  ]
    .filter(([count]) => count > 0)
    // A line of them breaks after a comma, never between a number and its noun.
    .map(([count, one, many]) => counted(count, one, many, '').replaceAll(' ', '\u00a0'))
    .join(', ')
