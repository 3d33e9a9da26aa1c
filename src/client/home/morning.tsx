import { Text, Title } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { libraryToday } from '../../offline/counter.ts'
import { useConnection } from '../api/connection.ts'
import { knownSoon } from '../api/known-soon.ts'
import { queryClient } from '../api/query-client.ts'
import { currentSession, useRights } from '../api/session.ts'
import { useToday } from '../loans/use-today.ts'
import { useInWords } from '../page/house-words.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { ago } from '../ui/words.ts'
import { useLaneView } from './lane-store.ts'
import { type Queue, queues } from './morning-queues.ts'
import styles from './morning.module.css'

/** Before the first scan: the work that waits. A row leads to the screen where it is done, and goes once nothing is left. */
export default function Morning() {
  const today = useToday()
  const rights = useRights()
  const isMultisite = useIsMultisite()
  const inWords = useInWords()
  const { chosen, lines } = useLaneView()
  if (chosen !== null || lines.length > 0) return null
  const open = queues.filter(
    ({ right, isForSeveralSites }) => rights.includes(right) && (isMultisite || !isForSeveralSites),
  )
  return (
    <section className={styles['morning']} aria-labelledby="morning">
      <Title order={2} size="h4" id="morning">
        {inWords('À faire aujourd’hui')}
      </Title>
      <ul className={styles['queues']}>
        {open.map((queue) => (
          <QueueRow key={queue.key} queue={queue} today={today} />
        ))}
      </ul>
    </section>
  )
}

function QueueRow({ queue: { asked, tell, Icon, tone, to }, today }: { queue: Queue; today: CalendarDay }) {
  const isOnline = useConnection() === 'online'
  const { data, dataUpdatedAt } = useQuery({ ...asked(today), enabled: isOnline })
  const told = data === undefined ? null : tell(data, today)
  if (told === null || told.count === 0) return null
  return (
    <li>
      <Link to={to(today)} className={styles['queue'] ?? ''} data-tone={tone}>
        <span className={styles['icon']}>
          <Icon size="1.25rem" stroke={1.75} aria-hidden />
        </span>
        <span>
          {told.words}
          {told.why ? (
            <Text component="span" c="dimmed" size="sm" className={styles['why'] ?? ''}>
              {told.why}
            </Text>
          ) : null}
          {isOnline ? null : (
            <Text span c="dimmed" size="sm">
              {` (${ago(dataUpdatedAt)})`}
            </Text>
          )}
        </span>
        <IconChevronRight size="1.2rem" aria-hidden />
      </Link>
    </li>
  )
}

/** Known by then or not: where lists stand under it, it comes along with them and moves none. */
export async function morningKnown(): Promise<void> {
  const rights = currentSession()?.user?.rights ?? []
  const today = await libraryToday()
  const open = queues.filter(({ right }) => rights.includes(right))
  await knownSoon(Promise.all(open.map(({ asked }) => queryClient.prefetchQuery(asked(today)))))
}
