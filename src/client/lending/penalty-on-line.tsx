import { Checkbox, Text } from '@mantine/core'

import { frenchMoney, sumOfMoney } from '../../domain/money.ts'
import type { usePenalties } from '../loans/penalties.ts'
import { inWords } from '../page/house-words.ts'
import styles from './counter.module.css'
import type { GivenBack } from './give-back.ts'

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

type PenaltiesProps = { of: readonly GivenBack[]; penaltyOf: ReturnType<typeof usePenalties> }

/** What all of them cost, over the button that records them. */
export function Penalties({ of, penaltyOf }: PenaltiesProps) {
  const kept = of.flatMap(({ loan, note }) => (note.is_waived ? [] : (penaltyOf(loan)?.amount ?? [])))
  return kept.length === 0 ? null : (
    <Text fw={600}>
      {`${kept.length > 1 ? 'Pénalités' : 'Pénalité'}\u202f: ${frenchMoney(sumOfMoney(kept))}`}
    </Text>
  )
}
