import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

import type { Part } from '../../contract/stats.ts'
import { inWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { type FigureRow, FiguresTable } from './figures-table.tsx'
import { HalfDonut } from './half-donut.tsx'
import { type LinkOf, partRows, slicesOf } from './part-rows.ts'
import styles from './stats.module.css'

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

/** The same by site, where the library has several. */
export function SitesPanel(told: Pick<PartsPanelProps, 'counted' | 'parts' | 'total' | 'linkOf'>) {
  const isMultisite = useIsMultisite()
  return isMultisite ? (
    <PartsPanel title="Par site" by="Site" unnamed={inWords('Sans site')} {...told} />
  ) : null
}
