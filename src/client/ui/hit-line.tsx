import { Text, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'

import styles from './hit-line.module.css'

/** What a search found, as the search box, the counter's and the fields of forms all draw it. */
export type HitLook = {
  label: string
  /** Author and shelf mark of a title; year of birth and number of a reader. */
  told?: string | undefined
  /** It is a bar code, which is no use when cut. */
  isCode?: boolean
  /** How it stands at this moment, « 2 libres ici »: never cut, as the rest may be. */
  now?: string | undefined
  /** Its cover, or a reader's initials. */
  face?: ReactNode
  /** Another one of the title above it, which is not drawn again, but read aloud. */
  isUnder?: boolean
}

/** Two cells side by side, its face and its words; the row that it stands in gives them their places. */
export function HitLine({ label, told = '', isCode = false, now = '', face, isUnder = false }: HitLook) {
  return (
    <>
      {isUnder ? <span className={styles['under']} /> : face}
      <span className={styles['words']}>
        {isUnder ? (
          <VisuallyHidden>{`${label}\u202f: `}</VisuallyHidden>
        ) : (
          <span className={styles['label']}>{label}</span>
        )}
        {told || now ? (
          <Text span size="sm" c="dimmed" className={styles['detail'] ?? ''} data-detail>
            {told ? (
              <span className={styles['told']} data-code={isCode || undefined}>
                {told}
              </span>
            ) : null}
            {told && now ? <span className={styles['between']}>{'\u00a0· '}</span> : null}
            {now ? <span className={styles['now']}>{now}</span> : null}
          </Text>
        ) : null}
      </span>
    </>
  )
}
