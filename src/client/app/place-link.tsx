import { Suspense } from 'react'
import { NavLink } from 'react-router-dom'

import styles from './frame.module.css'
import type { MenuPlace } from './screens.tsx'
import { useInWords } from '../page/house-words.ts'

type PlaceLinkProps = { place: MenuPlace; isCounted?: boolean; onFollow?: () => void }

/** A place of the menus: its icon, its word and, where there is room, what has to be looked at there. */
export function PlaceLink({
  place: { path, label, Icon, Count },
  isCounted = false,
  onFollow,
}: PlaceLinkProps) {
  const inWords = useInWords()
  return (
    <NavLink to={path} className={styles['place'] ?? ''} onClick={onFollow}>
      <Icon size="1.5rem" stroke={1.75} aria-hidden />
      <span className={styles['word']}>{inWords(label)}</span>
      {Count && isCounted ? (
        <Suspense fallback={null}>
          <Count />
        </Suspense>
      ) : null}
    </NavLink>
  )
}
