import '@mantine/core/styles/Progress.css'

import { Progress, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'

import styles from './count.module.css'
import type { CountView } from './count.ts'
import type { Tally } from './counted-copies.ts'
import { seenWords, shareOf } from './inventory-words.ts'

/** Where one stands, in large; a tap chooses another shelf, as its label does. */
export function ShelfCard({ view, onOpen }: { view: CountView; onOpen: () => void }) {
  const { shelf, here, whole } = view
  return (
    <div className={`panel ${styles['shelf']}`}>
      <UnstyledButton className={styles['choose'] ?? ''} aria-haspopup="dialog" onClick={onOpen}>
        <span>
          <span className={styles['small']}>Rayon</span>
          <span className={styles['big']}>{shelf?.label ?? 'Choisir un rayon'}</span>
        </span>
        <IconChevronDown size="1.5rem" aria-hidden />
      </UnstyledButton>
      <div className={styles['tallies']}>
        {here ? <TallyOf label="Ce rayon" tally={here} /> : null}
        <TallyOf label="En tout" tally={whole} />
      </div>
    </div>
  )
}

function TallyOf({ label, tally }: { label: string; tally: Tally }) {
  const words = seenWords(tally)
  return (
    <div className={styles['tally']}>
      <div className={styles['figures']}>
        <span className={styles['small']}>{label}</span>
        <strong title={`${words} vus`}>{words}</strong>
      </div>
      <Progress value={shareOf(tally)} aria-label={`${label}\u202f: ${words} vus`} />
    </div>
  )
}
