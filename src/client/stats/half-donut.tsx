import type { Slice } from './part-rows.ts'
import styles from './stats.module.css'
import { shareWords } from './stat-words.ts'

type HalfDonutProps = { label: string; slices: readonly Slice[] }

const outer = 100
/** Half of it (file 2, section 9). */
const inner = outer / 2
/** A mark needs that much of the whole to be read. */
const roomForMark = 0.04

/** Shares of a whole, each with its mark, which the table beside it names. */
export function HalfDonut({ label, slices }: HalfDonutProps) {
  const total = slices.reduce((sum, { count }) => sum + count, 0)
  // Where each begins and ends, as shares of the half circle.
  const ends = slices.map(
    (_, at) => slices.slice(0, at + 1).reduce((sum, { count }) => sum + count, 0) / total,
  )
  return (
    <svg
      className={styles['donut']}
      viewBox="-102 -102 204 104"
      role="img"
      aria-label={`${label}\u202f: ${essenceOf(slices, total)}`}
    >
      {slices.map(({ mark, name, count }, at) => {
        const from = ends[at - 1] ?? 0
        const to = ends[at] ?? 1
        const [x, y] = pointAt((outer + inner) / 2, (from + to) / 2)
        return (
          <g key={mark} data-part={mark}>
            <title>{`${name}\u202f: ${shareWords(count, total)}`}</title>
            <path d={sliceOf(from, to)} />
            {to - from < roomForMark ? null : (
              <text x={x} y={y} textAnchor="middle" dominantBaseline="central">
                {mark}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function essenceOf(slices: readonly Slice[], total: number): string {
  const told = slices.slice(0, 3).map(({ name, count }) => `${name} ${shareWords(count, total)}`)
  return told.join(', ') + (slices.length > told.length ? ', et d’autres' : '')
}

/** From the left over the top, by shares of the half circle. */
const pointAt = (radius: number, share: number): readonly [x: string, y: string] => [
  (-radius * Math.cos(Math.PI * share)).toFixed(3),
  (-radius * Math.sin(Math.PI * share)).toFixed(3),
]

const sliceOf = (from: number, to: number): string =>
  [
    `M ${pointAt(outer, from).join(' ')}`,
    `A ${outer} ${outer} 0 0 1 ${pointAt(outer, to).join(' ')}`,
    `L ${pointAt(inner, to).join(' ')}`,
    `A ${inner} ${inner} 0 0 0 ${pointAt(inner, from).join(' ')}`,
    'Z',
  ].join(' ')
