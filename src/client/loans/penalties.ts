import { useCallbackRef } from '@mantine/hooks'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'

import { membersOf } from '../../contract/list.ts'
import type { Medium } from '../../contract/media.ts'
import { type CalendarDay, daysBetween } from '../../domain/calendar-day.ts'
import type { Penalty, PenaltyRule } from '../../domain/loan-rules.ts'
import { frenchMoney, type Money } from '../../domain/money.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { knownMediaQuery } from '../catalogue/known-media.ts'
import {
  deviceParametersQuery,
  parametersQuery,
  useAreParametersAsked,
  useNumberParameter,
} from '../settings/parameter-data.ts'
import { counted } from '../ui/words.ts'
import { type HeldLoan, penaltyToday } from './held-loan.ts'
import { openingsTold, useOpeningsTold } from './open-days.ts'
import { openDaysCounted } from './penalty-words.ts'
import { usePenaltyRule } from './use-penalty-rule.ts'
import { useToday } from './use-today.ts'

/** What a return of today costs, and how late it is, in words. */
export type LatePenalty = { amount: Money; words: string }

const isPast = ({ end_date }: HeldLoan, today: CalendarDay): boolean => end_date !== null && end_date < today

type ByRules = Parameters<typeof penaltyToday>[2]

function reckon(loan: HeldLoan, today: CalendarDay, by: ByRules): LatePenalty | null {
  const penalty = penaltyToday(loan, today, by)
  if (!penalty || loan.end_date === null) return null
  const words = `${delayWords(daysBetween(loan.end_date, today), penalty, by.rule.open_days_only)}, ${frenchMoney(penalty.penalty_amount)}`
  return { amount: penalty.penalty_amount, words }
}

const noMedia: readonly Medium[] = []

/** Null while they are asked; none where nobody can tell. */
function useMediaTold(): readonly Medium[] | null {
  const { data, isError } = useQuery(knownMediaQuery)
  // Its lists may have heard them since.
  const heard = useQuery({ ...mediaQuery, enabled: false }).data
  return data ?? heard ?? (isError ? noMedia : null)
}

/** Null for nothing; undefined until the library's days, media and parameters are known. The same object for the same loan. */
export function usePenalties(): (loan: HeldLoan) => LatePenalty | null | undefined {
  const media = useMediaTold()
  const rule = usePenaltyRuleTold()
  const openings = useOpeningsTold()
  const today = useToday()
  return useMemo(
    () =>
      oncePerLoan((loan) => {
        if (!isPast(loan, today)) return null
        return openings && media && rule ? reckon(loan, today, { rule, media, openings }) : undefined
      }),
    [media, rule, openings, today],
  )
}

/** The same, which waits for all that it takes, and fails where nobody knows the media; null of what is not late. */
export function usePenaltyTold(): (loan: HeldLoan) => Promise<LatePenalty | null> | null {
  const client = useQueryClient()
  const today = useToday()
  return useCallbackRef((loan: HeldLoan) => {
    if (!isPast(loan, today)) return null
    return Promise.all([
      openingsTold(client),
      client.ensureQueryData(knownMediaQuery),
      penaltyRuleTold(client),
    ]).then(([openings, media, rule]) => reckon(loan, today, { rule, media, openings }))
  })
}

function oncePerLoan<Told>(tell: (loan: HeldLoan) => Told): (loan: HeldLoan) => Told {
  const told = new WeakMap<HeldLoan, { told: Told }>()
  return (loan) => {
    const before = told.get(loan) ?? { told: tell(loan) }
    told.set(loan, before)
    return before.told
  }
}

/** The days of grace are late too, though they are not counted. */
function delayWords(days_late: number, { penalty_duration }: Penalty, open_days_only: boolean): string {
  const late = counted(days_late, 'jour de retard', 'jours de retard')
  if (open_days_only) return `${late}, ${openDaysCounted(penalty_duration)}`
  return penalty_duration === days_late
    ? late
    : `${late}, ${counted(penalty_duration, 'jour compté', 'jours comptés')}`
}

/** Null while the parameters are asked; those delivered where nobody can tell. */
function usePenaltyRuleTold(): PenaltyRule | null {
  const rule = usePenaltyRule()
  const isKnown = useNumberParameter('delay_days_number_before_penalize') !== undefined
  return useAreParametersAsked() || isKnown ? rule : null
}

/** The same, once the server or the device has told. */
async function penaltyRuleTold(client: QueryClient): Promise<PenaltyRule> {
  const ofServer = client.ensureQueryData(parametersQuery)
  const ofDevice = client.ensureQueryData(deviceParametersQuery).then((kept) => {
    if (Object.keys(kept).length === 0) throw new Error('Not told yet')
  })
  await Promise.any([ofServer, ofDevice]).catch(() => undefined)
  const told = membersOf(client.getQueryData(parametersQuery.queryKey))
  const kept: Partial<Record<string, string>> = client.getQueryData(deviceParametersQuery.queryKey) ?? {}
  const written = (code: string) => told?.find((one) => one.code === code)?.value ?? kept[code]
  return {
    grace_days: Number(written('delay_days_number_before_penalize') ?? 0),
    open_days_only: written('penalty_open_days_only') === '1',
  }
}
