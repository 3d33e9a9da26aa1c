import '@mantine/core/styles/List.css'

import { List, Stack, Text } from '@mantine/core'

import { frenchDay } from '../../domain/calendar-day.ts'
import { reservedQuestion } from '../../domain/sentences/counter.ts'
import type { CounterCopy } from '../catalogue/copy-data.ts'

type Waiting = CounterCopy['reservations'][number]

/** Who waits for a copy, and whether to lend it all the same (file 1, section 5; its words). */
export function ReservationQuestion({ name, waiting }: { name: string; waiting: readonly Waiting[] }) {
  return (
    <Stack gap="sm">
      <Text fw={600}>{name}</Text>
      <List spacing="xs">
        {waiting.map((reservation) => (
          <List.Item key={reservation.id}>{reservationWords(reservation)}</List.Item>
        ))}
      </List>
      <Text>{reservedQuestion}</Text>
    </Stack>
  )
}

const reservationWords = ({ beneficiary_name, start_date, end_date }: Waiting): string =>
  start_date === null
    ? beneficiary_name
    : `${beneficiary_name}, du ${frenchDay(start_date)}${end_date ? ` au ${frenchDay(end_date)}` : ''}`
