import { VisuallyHidden } from '@mantine/core'

import styles from './frame.module.css'

type PlaceCountProps = { count: number; tone: 'wait' | 'bad'; words: string }

/** How many things a place of the menus has to be looked at; nothing where there are none. */
export function PlaceCount({ count, tone, words }: PlaceCountProps) {
  if (count === 0) return null
  return (
    <>
      <span className={`toned ${styles['count']}`} data-tone={tone} title={words} aria-hidden>
        {count}
      </span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </>
  )
}
