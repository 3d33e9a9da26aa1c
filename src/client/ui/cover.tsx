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
import { fitted, groundOf, lineHeight, monogramOf } from './drawn-cover.ts'
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
export function Cover({ image, isLarge = false, ...drawn }: CoverProps) {
  const [missing, setMissing] = useState<string>()
  return (
    <span className={styles['cover']} data-large={isLarge || undefined} aria-hidden>
      {image && image !== missing ? (
        <img
          src={apiAddress(isLarge ? image : `${image}&size=small`)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setMissing(image)}
        />
      ) : (
        <svg viewBox="0 0 40 56" fill="#fff" fontWeight={600}>
          <rect width="40" height="56" fill={groundOf(drawn.medium, drawn.title)} />
          <rect width="3" height="56" fill="#000" opacity={0.25} />
          {isLarge ? <Words {...drawn} /> : <Monogram {...drawn} />}
        </svg>
      )}
    </span>
  )
}

type DrawnProps = Pick<CoverProps, 'title' | 'author' | 'medium'>

/** In a line, where its words could not be read. */
function Monogram({ title, medium }: DrawnProps) {
  const monogram = monogramOf(title)
  return (
    <>
      <text x="21.5" y="26" fontSize={monogram.length > 2 ? 12 : 18} textAnchor="middle">
        {monogram}
      </text>
      {createElement(iconOf(medium), { x: 13.5, y: 34, size: 16, stroke: 1.75, color: '#fff' })}
    </>
  )
}

function Words({ title, author }: DrawnProps) {
  const name = fitted(title, [7, 6, 5, 4], 34)
  const by = fitted(author ?? '', [4], 10)
  return (
    <>
      <Lines {...name} first={5 + name.size} />
      <Lines {...by} first={52 - (by.lines.length - 1) * by.size * lineHeight} fontWeight={400} />
    </>
  )
}

type LinesProps = { lines: readonly string[]; size: number; first: number; fontWeight?: number }

const Lines = ({ lines, size, first, ...look }: LinesProps) =>
  lines
    .map((line, at) => ({ line, y: first + at * size * lineHeight }))
    .map(({ line, y }) => (
      <text key={y} x="6" y={y} fontSize={size} {...look}>
        {line}
      </text>
    ))
