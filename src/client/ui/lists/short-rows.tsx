import { Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

import { inWords } from '../../page/house-words.ts'
import { type RowAction, useRunOnce } from './row-actions.ts'
import { RowButtons } from './row-buttons.tsx'
import { useShortList } from './short-list.tsx'
import styles from './short-rows.module.css'

type ShortRowsProps<Row> = {
  title: string
  rows: readonly Row[]
  empty: string
  /** The cover or the initials before its words. */
  face: (row: Row) => ReactNode
  what: (row: Row) => ReactNode
  when: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  /** The main one is a button, the others stand in a menu. */
  actions?: readonly RowAction<Row>[]
  children?: ReactNode
}

const firstRows = 8
const none: readonly never[] = []

/** The rows that a page begins with, alike on a phone, beside a list and on a page of its own. */
export function ShortRows<Row extends { id: number }>(props: ShortRowsProps<Row>) {
  const { title, rows, empty, face, what, when, nameOf, actions = none, children } = props
  const id = useId()
  const runOnce = useRunOnce()
  const { shown, more } = useShortList(rows, undefined, firstRows)
  const slots = actions.filter(({ isMain }) => isMain)
  return (
    <section className="panel" aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {inWords(title)}
      </Title>
      {rows.length === 0 ? <Text c="dimmed">{inWords(empty)}</Text> : null}
      <ul>
        {shown.map((row) => (
          <li key={row.id} className={styles['row']}>
            {face(row)}
            <div className={styles['words']}>
              {what(row)}
              <div className={styles['when']}>{when(row)}</div>
            </div>
            <RowButtons
              row={row}
              name={nameOf(row)}
              actions={actions}
              slots={slots}
              onRun={(action) => runOnce(`${action.key} ${row.id}`, () => action.run(row))}
            />
          </li>
        ))}
      </ul>
      {more}
      {children}
    </section>
  )
}
