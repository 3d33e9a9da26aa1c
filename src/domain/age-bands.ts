import type { CalendarDay } from './calendar-day.ts'

/** Lower ages of the bands that loans are counted by; together they give the 0–14, 15–64 and 65+ of yearly reports. */
const bands = [
  [65, '65+'],
  [25, '25-64'],
  [15, '15-24'],
  [11, '11-14'],
  [6, '6-10'],
  [0, '0-5'],
] as const

export const readerKinds = ['person', 'collectivity'] as const
export type ReaderKind = (typeof readerKinds)[number]
export const readerKindNames: Record<ReaderKind, string> = {
  person: 'Personne',
  collectivity: 'Collectivité',
}

export const audiences = ['adult', 'youth'] as const
export type Audience = (typeof audiences)[number]
export const audienceWords: Record<Audience, string> = { adult: 'Adulte', youth: 'Jeunesse' }

/** A collectivity has no age, and a loan to one is counted apart. */
export const ageBands = ['0-5', '6-10', '11-14', '15-24', '25-64', '65+', 'collectivity'] as const
export type AgeBand = (typeof ageBands)[number]

/** By the age that is reached in the year of `day`, because only the year of birth is known; null where it is not. */
export function ageBandOf(
  { kind, birth_year }: { kind: ReaderKind; birth_year: number | null },
  day: CalendarDay,
): AgeBand | null {
  if (kind === 'collectivity') return 'collectivity'
  if (birth_year === null) return null
  const age = Number(day.slice(0, 4)) - birth_year
  return bands.find(([from]) => age >= from)?.[1] ?? null
}
