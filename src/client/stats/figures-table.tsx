import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'

import { inWords } from '../page/house-words.ts'
import styles from './stats.module.css'

export type FigureRow = {
  key: string
  name: string
  /** That of its part in the chart. */
  mark?: string | undefined
  /** The rows that it counts, where a list shows them. */
  to?: string | undefined
  /** The sum of the others. */
  isTotal?: boolean
  values: readonly (string | { words: string; to: string | undefined })[]
}

type FiguresTableProps = {
  label: string
  /** The first is of the names, the others of the values. */
  titles: readonly string[]
  rows: readonly FigureRow[]
  /** Of time: of many rows the last ones are shown first, as the chart is scrolled to them. */
  isOfTime?: boolean
  /** However many there are: a report that is printed leaves none out. */
  isWhole?: boolean
}

const shownFirst = 10

/** Every figure of a chart in words; ten of many, until all are asked for. */
export function FiguresTable(props: FiguresTableProps) {
  const { label, titles, rows, isOfTime = false, isWhole: isAlwaysWhole = false } = props
  const [isWhole, setWhole] = useState(isAlwaysWhole)
  const shown = isWhole ? rows : isOfTime ? rows.slice(-shownFirst) : rows.slice(0, shownFirst)
  return (
    <div>
      <ScrolledTable label={inWords(label)}>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {inWords(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, mark, to, isTotal, values }) => (
            <tr key={key} data-total={isTotal || undefined}>
              <th scope="row">
                <span className={styles['name']}>
                  {mark === undefined ? null : (
                    <span className={styles['mark']} data-part={mark} aria-hidden>
                      {mark}
                    </span>
                  )}
                  {to === undefined ? name : <Link to={to}>{name}</Link>}
                </span>
              </th>
              {values.map((value, at) => (
                // A value is known by its column.
                <td key={titles[at + 1]}>
                  {typeof value === 'string' ? (
                    value
                  ) : value.to === undefined ? (
                    value.words
                  ) : (
                    <Link to={value.to}>{value.words}</Link>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrolledTable>
      {rows.length > shownFirst && !isAlwaysWhole ? (
        <div data-role="actions">
          <Button variant="subtle" size="sm" mih="2.75rem" mt="xs" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Voir moins' : `Tout voir (${rows.length})`}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** Where it has no room it is scrolled, by the keyboard as well, and the page stays. */
function ScrolledTable({ label, children }: { label: string; children: ReactNode }) {
  const { ref: frame, width: room } = useElementSize()
  const { ref: table, width } = useElementSize<HTMLTableElement>()
  const isScrolled = room > 0 && width > room + 1
  return (
    <div
      ref={frame}
      className={styles['tableFrame']}
      {...(isScrolled ? { tabIndex: 0, role: 'region', 'aria-label': `${label}, à faire défiler` } : {})}
    >
      <table ref={table} className={styles['table']} aria-label={label}>
        {children}
      </table>
    </div>
  )
}
