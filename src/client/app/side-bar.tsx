import { UnstyledButton } from '@mantine/core'
import { IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useLocation } from 'react-router-dom'

import { setPreference } from '../page/preferences.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useMenuButton } from '../ui/menu-button.ts'
import styles from './frame.module.css'
import { PlaceLink } from './place-link.tsx'
import { type Group, groups, type MenuPlace } from './screens.tsx'
import { inWords, useInWords } from '../page/house-words.ts'

const GroupMenu = lazyPart(() => import('./group-menu.tsx'))

type SideBarProps = { open: readonly MenuPlace[]; isDesktop: boolean; isFolded: boolean }

/** All places by groups on a desktop; folded, or on a tablet, a group shows its places beside it. */
export function SideBar({ open, isDesktop, isFolded }: SideBarProps) {
  const isWhole = isDesktop && !isFolded
  useInWords()
  const Fold = isFolded ? IconChevronsRight : IconChevronsLeft
  const foldWord = isFolded ? 'Déplier le menu' : 'Replier le menu'
  return (
    <nav className={styles['side']} aria-label="Écrans">
      {(Object.keys(groups) as Group[]).map((group) => {
        const places = open.filter((place) => place.group === group)
        const [only] = places
        if (!only) return null
        if (isWhole) return <WholeGroup key={group} group={group} places={places} />
        if (places.length === 1) return <PlaceLink key={group} place={only} />
        return <GroupButton key={group} group={group} places={places} />
      })}
      {isDesktop ? (
        <UnstyledButton
          className={`${styles['place']} ${styles['fold']}`}
          title={isFolded ? foldWord : undefined}
          onClick={() => setPreference('is_menu_folded', !isFolded)}
        >
          <Fold size="1.5rem" stroke={1.75} aria-hidden />
          <span className={styles['word']}>{foldWord}</span>
        </UnstyledButton>
      ) : null}
    </nav>
  )
}

type GroupProps = { group: Group; places: readonly MenuPlace[] }

function WholeGroup({ group, places }: GroupProps) {
  return (
    <div className={styles['group']}>
      {places.some(({ label }) => label === group) ? null : (
        <span className={styles['groupName']}>{inWords(group)}</span>
      )}
      {places.map((place) => (
        <PlaceLink key={place.path} place={place} isCounted />
      ))}
    </div>
  )
}

function GroupButton({ group, places }: GroupProps) {
  const { pathname } = useLocation()
  const Icon = groups[group]
  const isHere = places.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`))
  const { button, attributes, of } = useMenuButton()
  return (
    <>
      <UnstyledButton
        ref={button}
        {...attributes}
        className={styles['place'] ?? ''}
        title={inWords(group)}
        aria-current={isHere}
      >
        <Icon size="1.5rem" stroke={1.75} aria-hidden />
        <span className={styles['word']}>{inWords(group)}</span>
      </UnstyledButton>
      <GroupMenu of={of} group={group} places={places} />
    </>
  )
}
