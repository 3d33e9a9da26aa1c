import { Text } from '@mantine/core'

import type { ClosingPreview as Preview } from '../../contract/closings.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { namedDay } from '../../domain/typed-day.ts'
import { counted } from '../ui/words.ts'
import { type AskedClosing, useClosingPreview } from './closing-data.ts'
import styles from './closures.module.css'
import { inWords } from '../page/house-words.ts'

/** What closing would move: how much on which day, and the first loans of it. */
export function ClosingPreview({ asked }: { asked: AskedClosing | null }) {
  const { data, isError } = useClosingPreview(asked)
  if (asked === null || isError) return null
  return (
    <div role="status" aria-label="Ce qui se déplace">
      {data ? <Moved preview={data} /> : <Text c="dimmed">Recherche de ce qui se déplace…</Text>}
    </div>
  )
}

function Moved({ preview: { loans, shelf_deadlines, rows, by_day } }: { preview: Preview }) {
  if (loans + shelf_deadlines === 0) {
    return <Text>{inWords('Aucun retour n’est prévu ces jours-là\u202f: rien ne se déplace.')}</Text>
  }
  return (
    <div className={styles['preview']}>
      <Text fw={600} size="sm" mb="xs">
        {movedWords(loans, shelf_deadlines)}
      </Text>
      {by_day.length > 1 ? (
        <Text size="sm" mb="xs">
          {by_day.map(({ day, count }) => `${namedDay(day)}\u202f: ${count}`).join(' · ')}
        </Text>
      ) : null}
      <ul className={styles['moved']}>
        {rows.map(({ id, name, from, to }) => (
          <li key={id}>
            <span className={styles['title']} title={name}>
              {name}
            </span>
            <span className={styles['days']}>
              {frenchDay(from, to)} → {frenchDay(to)}
            </span>
          </li>
        ))}
        {loans > rows.length ? (
          <li className={styles['more']}>{`et ${counted(loans - rows.length, 'autre', 'autres')}`}</li>
        ) : null}
      </ul>
    </div>
  )
}

const movedWords = (loans: number, shelf_deadlines: number): string =>
  [
    counted(loans, 'retour se déplace', 'retours se déplacent', 'aucun retour ne se déplace'),
    ...(shelf_deadlines > 0
      ? [counted(shelf_deadlines, 'mise de côté est prolongée', 'mises de côté sont prolongées')]
      : []),
  ].join(', ')
