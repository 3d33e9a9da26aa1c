import { Text, Title, UnstyledButton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

import { type CalendarMove, readMoves } from '../../contract/calendar.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import { type Collection, membersOf, totalOf } from '../../contract/list.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { call } from '../api/call.ts'
import { inWords } from '../page/house-words.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { UnreadState } from '../ui/states.tsx'
import styles from './calendar.module.css'
import type { Pressed } from './grid-frame.tsx'

type DayMovesProps = {
  /** Today where it is left out. */
  date: CalendarDay | undefined
  onPress: (pressed: Pressed) => void
}

/** Lists the departures and returns of a day, done or expected. */
export function DayMoves({ date, onPress }: DayMovesProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [resourceOf(readMoves), readMoves.name, date],
    queryFn: ({ signal }) => call(readMoves, { query: date === undefined ? {} : { date }, signal }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <UnreadState error={error} onRetry={refetch} height="24rem" radius="lg" />
  return (
    <div className={styles['moved']} data-stale={isPlaceholderData || undefined}>
      <Moves
        title="Départs"
        none="Aucun départ ce jour-là."
        words={{ awaited: 'Réservé', done: 'Prêté' }}
        moves={data.departures}
        onPress={onPress}
      />
      <Moves
        title="Retours"
        none="Aucun retour ce jour-là."
        words={{ awaited: 'Attendu', done: 'Rendu' }}
        moves={data.returns}
        onPress={onPress}
      />
    </div>
  )
}

type MovesProps = {
  title: string
  none: string
  words: { awaited: string; done: string }
  moves: Collection<CalendarMove>
  onPress: (pressed: Pressed) => void
}

function Moves({ title, none, words, moves, onPress }: MovesProps) {
  const shown = membersOf(moves)
  const total = totalOf(moves)
  return (
    <section className="panel" aria-label={title}>
      <Title order={2} size="1.125rem">
        {title} ({total})
      </Title>
      {total === 0 ? (
        <Text c="dimmed" mt="xs">
          {none}
        </Text>
      ) : (
        <ul className={styles['list']}>
          {shown.map(({ title: name, copy, bar, is_done }) => (
            <li key={`${bar.kind} ${bar.id}`}>
              <UnstyledButton
                className={styles['move']}
                onClick={() =>
                  onPress({ block: name, copy, bar, first_day: bar.first_day, last_day: bar.last_day })
                }
              >
                <span>
                  <Text span fw={600}>
                    {name.name}
                  </Text>
                  <Text span size="sm" c="dimmed">
                    {[copy?.bar_code ?? inWords('Sans exemplaire choisi'), bar.beneficiary_name]
                      .filter((one) => one !== null)
                      .join(' · ')}
                  </Text>
                </span>
                {is_done ? (
                  <StatusTag tone="good">{words.done}</StatusTag>
                ) : bar.state === 'overdue' ? (
                  <StatusTag tone="bad">En retard</StatusTag>
                ) : (
                  <StatusTag tone="wait">{words.awaited}</StatusTag>
                )}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
      {shown.length < total ? (
        <Text size="sm" c="dimmed" mt="xs">
          Les {shown.length} premiers sur {total}.
        </Text>
      ) : null}
    </section>
  )
}
