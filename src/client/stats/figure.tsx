import { VisuallyHidden } from '@mantine/core'
import { Children, type ReactNode } from 'react'

import type { Compared } from '../../contract/stats.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import type { Period } from '../../domain/stat-periods.ts'
import styles from './stats.module.css'
import { growthWords } from './stat-words.ts'

/** As many as stand in one line. */
export const fewFigures = 3

/** Big numbers side by side. */
export const Figures = ({ label, children }: { label: string; children: ReactNode }) => (
  <dl
    className={styles['figures']}
    data-many={Children.toArray(children).length > fewFigures || undefined}
    aria-label={label}
  >
    {children}
  </dl>
)

type FigureProps = {
  label: string
  value: string
  more?: ReactNode
  /** To the rows that it counts. */
  link?: ReactNode
}

/** « 123, 15 % de plus que du 01/02/2026 au 28/02/2026 » */
export function Figure({ label, value, more, link }: FigureProps) {
  return (
    <div className={`panel ${styles['figure']}`}>
      <dt>{label}</dt>
      <dd>
        <span className={styles['number']}>{value}</span>
        {more ? (
          <span className={styles['growth']}>
            <VisuallyHidden component="span">, </VisuallyHidden>
            {more}
          </span>
        ) : null}
        {link}
      </dd>
    </div>
  )
}

type ComparedFigureProps = Pick<FigureProps, 'label' | 'link'> & { of: Compared; before: Period }

export const ComparedFigure = ({ label, of, before, link }: ComparedFigureProps) => (
  <Figure label={label} value={frenchNumber(of.now)} more={growthWords(of, before)} link={link} />
)
