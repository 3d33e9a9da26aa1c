import { Button, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { JournalledEntity } from '../../../contract/journal-words.ts'
import { type JournalLine, readJournal } from '../../../contract/journal.ts'
import { membersOf, totalOf } from '../../../contract/list.ts'
import { call } from '../../api/call.ts'
import { inWords } from '../../page/house-words.ts'
import { EmptyState, UnreadState } from '../states.tsx'
import { frenchInstant } from '../words.ts'
import { ChangeList } from './change-list.tsx'
import styles from './journal-part.module.css'

const linesAtOnce = 25

/** What was changed of a record: when, by whom, on which device, before and after. */
export function JournalPart({ entity, id }: { entity: JournalledEntity; id: number }) {
  const [limit, setLimit] = useState(linesAtOnce)
  const { data, error, refetch, isFetching } = useQuery({
    // Read again with the record itself.
    queryKey: [entity, readJournal.name, id, limit],
    queryFn: ({ signal }) =>
      call(readJournal, { query: { entity, id: String(id) }, list: { limit }, signal }),
    placeholderData: keepPreviousData,
  })
  if (!data) return <UnreadState error={error} onRetry={refetch} height="8rem" />
  const lines = membersOf(data)
  if (lines.length === 0) return <EmptyState message="Rien n’a été changé depuis que le journal est tenu." />
  return (
    <Stack className="panel" gap="md">
      <ol className={styles['lines']}>
        {lines.map((line) => (
          <li key={line.id}>
            <Line line={line} />
          </li>
        ))}
      </ol>
      {totalOf(data) > lines.length ? (
        <Button variant="default" loading={isFetching} onClick={() => setLimit(limit + 4 * linesAtOnce)}>
          Voir ce qui précède
        </Button>
      ) : null}
    </Stack>
  )
}

function Line({ line: { at, action, who, on_behalf_of, device, changes } }: { line: JournalLine }) {
  const by = [who ?? 'Le système', on_behalf_of ? `pour ${on_behalf_of}` : null, device].filter(Boolean)
  return (
    <>
      <Text fw={600}>{inWords(action)}</Text>
      <Text size="sm" c="dimmed">
        <time dateTime={at}>{frenchInstant(at)}</time> · {by.join(' · ')}
      </Text>
      <ChangeList changes={changes} />
    </>
  )
}
