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
import { createElement, useState } from 'react'

import { apiAddress } from '../../contract/api-address.ts'
import { initialsOf } from '../../domain/person-names.ts'
import styles from './cover.module.css'
import { groundOf, monogramOf } from './drawn-cover.ts'
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
  title: string
  author?: string | null | undefined
  medium: string | null
  /** `image_path` of the reference, with its version. */
  image?: string | null | undefined
  /** At the head of a page: all its words. */
  isLarge?: boolean
}

/** The image of a title, or a drawn one where there is none or it cannot be had. */
export function Cover({ title, author, medium, image, isLarge = false }: CoverProps) {
  const [missing, setMissing] = useState<string>()
  const isDrawn = !image || image === missing
  return (
    <span
      className={styles['cover']}
      data-large={isLarge || undefined}
      style={isDrawn ? { background: groundOf(medium, title) } : undefined}
      aria-hidden
    >
      {isDrawn ? (
        <>
          <Drawn words={isLarge ? title : monogramOf(title)} />
          {isLarge ? <Drawn words={author ?? ''} /> : createElement(iconOf(medium), { size: '0.75rem' })}
        </>
      ) : (
        <img
          src={apiAddress(isLarge ? image : `${image}&size=small`)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(image)}
        />
      )}
    </span>
  )
}

/** Written by the style sheet: what looks for the words of a row finds its title once. */
const Drawn = ({ words }: { words: string }) => <span data-words={words} />

/** A reader's, where a title has its cover; nobody is photographed. */
export const Initials = ({ name, isLarge }: { name: string; isLarge?: boolean }) => (
  <span className={styles['initials']} data-large={isLarge || undefined} aria-hidden>
    <Drawn words={initialsOf(name)} />
  </span>
)
