import {
  IconBook,
  IconDeviceGamepad2,
  IconDeviceTablet,
  IconDisc,
  IconHeadphones,
  IconMap,
  IconMovie,
  IconMusic,
  IconNews,
  IconPackage,
  IconPhoto,
  IconPuzzle,
} from '@tabler/icons-react'
import { createElement } from 'react'

import styles from './cover.module.css'
import { folded } from './every-word.ts'

// Libraries name their media freely, so the first matching line gives the icon.
const icons: readonly (readonly [words: RegExp, Icon: typeof IconBook])[] = [
  [/jeux? video|console|manette/, IconDeviceGamepad2],
  [/livre.*(audio|lus?\b)|audio.?livre|audio ?livre|casque/, IconHeadphones],
  [/liseuse|tablette|ordinateur|numerique|e-?book/, IconDeviceTablet],
  [/dvd|blu-?ray|film|video|vhs|cinema/, IconMovie],
  [/\bcd\b|disque|vinyle|microsillon|audio|cassette/, IconDisc],
  [/partition|musique|instrument/, IconMusic],
  [/revue|magazine|periodique|journal|journaux|presse/, IconNews],
  [/jeu|jouet|puzzle/, IconPuzzle],
  [/\bcartes?\b|\bplans?\b|atlas/, IconMap],
  [/image|affiche|estampe|photo|tableau|oeuvre/, IconPhoto],
  [/livre|roman|album|\bbd\b|bande dessinee|manga|document/, IconBook],
]

const iconOf = (medium: string | null) =>
  medium === null ? IconBook : (icons.find(([words]) => words.test(folded(medium)))?.[1] ?? IconPackage)

type CoverProps = {
  medium: string | null
  isLarge?: boolean
}

/** A medium's icon beside a title, in one size, because no picture of a title is kept yet. */
export function Cover({ medium, isLarge }: CoverProps) {
  return (
    <span className={styles['cover']} data-large={isLarge || undefined} aria-hidden>
      {createElement(iconOf(medium), { size: isLarge ? '1.75rem' : '1.25rem', stroke: 1.75 })}
    </span>
  )
}
