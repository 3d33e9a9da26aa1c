import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Part } from '../../contract/stats.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { type FigureRow, FiguresTable } from './figures-table.tsx'
import { type LinkOf, partRows, type Slice, slicesOf } from './part-rows.ts'
import { shareWords } from './stat-words.ts'
import styles from './stats.module.css'

type HalfDonutProps = { label: string; slices: readonly Slice[] }

const outer = 100
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

export const StatPanel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={`panel ${styles['panel']}`} aria-label={inWords(title)}>
    <Title order={2} size="h4">
      {inWords(title)}
    </Title>
    {children}
  </section>
)

/** Side by side; `isWide` where their tables have many columns. */
export const Panels = ({ isWide = false, children }: { isWide?: boolean; children: ReactNode }) => (
  <div className={styles['panels']} data-wide={isWide || undefined}>
    {children}
  </div>
)

type PartsPanelProps = {
  title: string
  /** What is counted: « Prêts ». */
  counted: string
  /** What it is counted by: « Support ». */
  by: string
  unnamed: string
  parts: readonly Part[]
  total: number
  linkOf?: LinkOf | undefined
  isDrawn?: boolean
}

/** The parts of a whole in a table, under a half-donut where they are few kinds of one thing. */
export function PartsPanel({ title, counted, by, unnamed, parts, total, linkOf, isDrawn }: PartsPanelProps) {
  const rows: readonly FigureRow[] = partRows(parts, { total, unnamed, linkOf, isMarked: isDrawn === true })
  return (
    <StatPanel title={title}>
      {isDrawn ? <HalfDonut label={title} slices={slicesOf(parts, unnamed)} /> : null}
      <FiguresTable label={title} titles={[by, counted, 'Part']} rows={rows} />
    </StatPanel>
  )
}

type Told = Pick<PartsPanelProps, 'counted' | 'parts' | 'total' | 'linkOf'>

export const MediaPanel = (told: Told) => (
  <PartsPanel title="Par support" by="Support" unnamed={inWords('Sans support')} isDrawn {...told} />
)

export const CategoriesPanel = (told: Told) => (
  <PartsPanel title="Par catégorie" by="Catégorie" unnamed={inWords('Sans catégorie')} isDrawn {...told} />
)

/** Where the library has several. */
export function SitesPanel(told: Told) {
  const isMultisite = useIsMultisite()
  return isMultisite ? (
    <PartsPanel title="Par site" by="Site" unnamed={inWords('Sans site')} {...told} />
  ) : null
}
