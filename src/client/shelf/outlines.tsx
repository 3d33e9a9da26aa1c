import type { MouseEvent } from 'react'

import { distance, middleOf, type Sighting, type Size } from '../scanner/sightings.ts'
import type { Look } from './look.ts'
import styles from './shelf-picture.module.css'

type OutlinesProps = {
  sightings: readonly Sighting[]
  size: Size
  lookOf: (sighting: Sighting) => Look
  chosen: string | null
  onChoose: (text: string) => void
}

/** How far an outline stands off its symbol, in parts of the picture's width: thin bars are hard to see. */
const room = 0.008
/** A finger chooses the nearest symbol within so much of the picture's width. */
const reach = 0.06

/** Over the picture, in its own measures; the lists beside it name every code for whoever does not see it. */
export function Outlines({ sightings, size, lookOf, chosen, onChoose }: OutlinesProps) {
  const { width, height } = size
  const inPixels = ({ corners }: Sighting) => corners.map(({ x, y }) => ({ x: x * width, y: y * height }))
  const chooseNearest = ({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>) => {
    const toPicture = currentTarget.getScreenCTM()?.inverse()
    if (toPicture === undefined) return
    const touched = new DOMPoint(clientX, clientY).matrixTransform(toPicture)
    const [nearest] = sightings
      .map((sighting) => ({ text: sighting.text, away: distance(touched, middleOf(inPixels(sighting))) }))
      .toSorted((one, other) => one.away - other.away)
    if (nearest !== undefined && nearest.away < reach * width) onChoose(nearest.text)
  }
  return (
    <svg
      className={styles['outlines']}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden
      onClick={chooseNearest}
    >
      {sightings.map((sighting) => {
        const { text, corners } = sighting
        const corner = inPixels(sighting)
        const middle = middleOf(corner)
        const points = corner.map((one) => {
          const scale = 1 + (room * width) / (distance(one, middle) || 1)
          return `${middle.x + (one.x - middle.x) * scale},${middle.y + (one.y - middle.y) * scale}`
        })
        return (
          <polygon
            key={`${text} ${corners[0].x} ${corners[0].y}`}
            points={points.join(' ')}
            data-look={lookOf(sighting).tone}
            data-chosen={text === chosen || undefined}
          />
        )
      })}
    </svg>
  )
}
