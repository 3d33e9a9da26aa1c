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
  /** `image_path` of the reference, with its version. */
  image?: string | null | undefined
  isLarge?: boolean
}

/** The image of a title, or its medium's icon, in one size; an image that cannot be had gives way to the icon. */
export function Cover({ medium, image, isLarge }: CoverProps) {
  const [missing, setMissing] = useState<string>()
  return (
    <span className={styles['cover']} data-large={isLarge || undefined} aria-hidden>
      {image && image !== missing ? (
        <img
          src={apiAddress(`${image}&size=small`)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(image)}
        />
      ) : (
        createElement(iconOf(medium), { size: isLarge ? '1.75rem' : '1.25rem', stroke: 1.75 })
      )}
    </span>
  )
}
