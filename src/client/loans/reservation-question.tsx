import '@mantine/core/styles/List.css'

import { List, Stack, Text } from '@mantine/core'

import { reservedQuestion } from '../../domain/sentences/counter.ts'
import { reservationWords, type Waiting } from './reservation-words.ts'

type Reserved = { name: string; waiting: readonly Waiting[] }

type ReservationQuestionProps = {
  copies: readonly Reserved[]
  /** Not where something beside it asks. */
  isAsked?: boolean
}

/** Who waits for each copy, and whether to lend them all the same, in the specification's words. */
export function ReservationQuestion({ copies, isAsked = true }: ReservationQuestionProps) {
  return (
    <Stack gap="sm">
      {copies.map(({ name, waiting }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- two copies may have one title
        <Stack key={at} gap="xs">
          <Text fw={600}>{name}</Text>
          <List spacing="xs">
            {waiting.map((reservation, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- one person may wait twice
              <List.Item key={place}>{reservationWords(reservation)}</List.Item>
            ))}
          </List>
        </Stack>
      ))}
      {isAsked ? <Text>{reservedQuestion}</Text> : null}
    </Stack>
  )
}
