import type { Sighting } from '../scanner/sightings.ts'
import type { Look } from './look.ts'
import styles from './shelf-picture.module.css'

type OutlinesProps = {
  sightings: readonly Sighting[]
  /** Of the picture, in pixels. */
  size: { width: number; height: number }
  lookOf: (sighting: Sighting) => Look
  chosen: string | null
  onChoose: (text: string) => void
}

/** How far an outline stands off its symbol, in parts of the picture's width: thin bars are hard to touch. */
const room = 0.008

/** Over the picture, in its own measures; the list below says the same to whoever does not see it. */
export function Outlines({ sightings, size: { width, height }, lookOf, chosen, onChoose }: OutlinesProps) {
  return (
    <svg
      className={styles['outlines']}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMidYMid meet"
      aria-hidden
    >
      {sightings.map((sighting) => {
        const { text, corners } = sighting
        const { tone } = lookOf(sighting)
        const middle = {
          x: (corners[0].x + corners[1].x + corners[2].x + corners[3].x) / 4,
          y: (corners[0].y + corners[1].y + corners[2].y + corners[3].y) / 4,
        }
        const points = corners.map(({ x, y }) => {
          const out = { x: (x - middle.x) * width, y: (y - middle.y) * height }
          const length = Math.hypot(out.x, out.y) || 1
          const scale = 1 + (room * width) / length
          return `${middle.x * width + out.x * scale},${middle.y * height + out.y * scale}`
        })
        return (
          <polygon
            key={`${text} ${corners[0].x} ${corners[0].y}`}
            points={points.join(' ')}
            data-look={tone}
            data-chosen={text === chosen || undefined}
            onClick={() => onChoose(text)}
          />
        )
      })}
    </svg>
  )
}
