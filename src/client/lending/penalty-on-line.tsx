import { Checkbox, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { daysBetween } from '../../domain/calendar-day.ts'
import { frenchMoney, type Money, sumOfMoney } from '../../domain/money.ts'
import type { Penalty } from '../../domain/loan-rules.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { type HeldLoan, penaltyToday } from '../loans/held-loan.ts'
import { useOpenings } from '../loans/open-days.ts'
import { openDaysCounted } from '../loans/penalty-words.ts'
import { usePenaltyRule } from '../loans/use-penalty-rule.ts'
import { useToday } from '../loans/use-today.ts'
import { inWords } from '../page/house-words.ts'
import { counted } from '../ui/words.ts'
import styles from './counter.module.css'
import type { GivenBack } from './give-back.ts'

/** What a return of today costs, and how late it is, in words. */
export type LatePenalty = { amount: Money; words: string }

/** Null for nothing, and until the library's days and media are known. The same object for the same loan. */
export function usePenalties(): (loan: HeldLoan) => LatePenalty | null {
  const { data: media } = useQuery(mediaQuery)
  const rule = usePenaltyRule()
  const openings = useOpenings()
  const today = useToday()
  return useMemo(() => {
    const reckon = (loan: HeldLoan): LatePenalty | null => {
      if (!media || !openings || loan.end_date === null) return null
      const penalty = penaltyToday(loan, today, { rule, media, openings })
      if (!penalty) return null
      const words = `${delayWords(daysBetween(loan.end_date, today), penalty, rule.open_days_only)}, ${frenchMoney(penalty.penalty_amount)}`
      return { amount: penalty.penalty_amount, words }
    }
    return oncePerLoan(reckon)
  }, [media, rule, openings, today])
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

type PenaltyOnLineProps = {
  words: string
  title: string
  isWaived: boolean
  onWaive: (isWaived: boolean) => void
}

/** On the line of a late return: it is kept unless somebody waives it. */
export function PenaltyOnLine({ words, title, isWaived, onWaive }: PenaltyOnLineProps) {
  return (
    <div className={styles['penalty']}>
      <Text
        span
        size="sm"
        c={isWaived ? 'dimmed' : 'var(--warn-ink)'}
        td={isWaived ? 'line-through' : undefined}
      >
        {`Pénalité\u202f: ${words}`}
      </Text>
      <Checkbox
        label={inWords('Lever la pénalité')}
        aria-label={`${inWords('Lever la pénalité')}\u202f: ${title}`}
        checked={isWaived}
        onChange={(event) => onWaive(event.currentTarget.checked)}
      />
    </div>
  )
}

type PenaltiesProps = { of: readonly GivenBack[]; penaltyOf: (loan: HeldLoan) => LatePenalty | null }

/** What all of them cost, over the button that records them. */
export function Penalties({ of, penaltyOf }: PenaltiesProps) {
  const kept = of.flatMap(({ loan, note }) => (note.is_waived ? [] : (penaltyOf(loan)?.amount ?? [])))
  return kept.length === 0 ? null : (
    <Text fw={600}>
      {`${kept.length > 1 ? 'Pénalités' : 'Pénalité'}\u202f: ${frenchMoney(sumOfMoney(kept))}`}
    </Text>
  )
}
