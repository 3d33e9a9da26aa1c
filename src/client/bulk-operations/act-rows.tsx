import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'

import { SegmentedControl, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type Act, type ActRow, listActRows } from '../../contract/acts.ts'
import { membersOf, totalOf, type Filter } from '../../contract/list.ts'
import { call } from '../api/call.ts'
import { ChangeList } from '../ui/lists/change-list.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'
import styles from './act-rows.module.css'

const limit = 25

const states: Record<ActRow['state'], { tone: Tone; words: string }> = {
  left: { tone: 'quiet', words: 'Tel que l’acte l’a laissé' },
  changed: { tone: 'warn', words: 'Modifié depuis' },
  undone: { tone: 'good', words: 'Rendu à son état d’avant' },
}

/** Each record that an act touched, and for those changed since, both states. */
export function ActRows({ act }: { act: Act }) {
  const [which, setWhich] = useState<'all' | 'kept'>('all')
  const [page, setPage] = useState(1)
  const filters: Filter[] = which === 'kept' ? [{ field: 'undone', operator: 'eq', value: false }] : []
  const { data, error, refetch, isFetching } = useQuery({
    // Read again with the act itself.
    queryKey: ['acts', listActRows.name, act.id, which, page, act.undone],
    queryFn: ({ signal }) =>
      call(listActRows, { params: { id: act.id }, list: { page, limit, filters }, signal }),
    placeholderData: keepPreviousData,
  })
  const choose = (value: string) => {
    setWhich(value === 'kept' ? 'kept' : 'all')
    setPage(1)
  }
  if (!data) return <UnreadState error={error} onRetry={refetch} height="12rem" />
  const rows = membersOf(data)
  const total = totalOf(data)
  return (
    <Stack className="panel" gap="md">
      {act.undone > 0 && act.undone < act.touched ? (
        <SegmentedControl
          aria-label="Éléments montrés"
          value={which}
          onChange={choose}
          data={[
            { value: 'all', label: 'Tous' },
            { value: 'kept', label: `Restés comme ils sont (${act.touched - act.undone})` },
          ]}
        />
      ) : null}
      {rows.length === 0 ? <EmptyState message="Cet acte n’a rien touché." /> : null}
      <ol className={styles['rows']}>
        {rows.map((row) => (
          <li key={row.id}>
            <Row row={row} />
          </li>
        ))}
      </ol>
      <PageTurner
        page={page}
        limit={limit}
        total={total}
        words={counted(total, 'élément', 'éléments')}
        isFetching={isFetching}
        onTurn={setPage}
      />
    </Stack>
  )
}

function Row({ row: { name, action, changes, state, since, kept } }: { row: ActRow }) {
  const { tone, words } = states[state]
  return (
    <>
      <div className={styles['head']}>
        <Text fw={600}>{name}</Text>
        <StatusTag tone={tone}>{words}</StatusTag>
      </div>
      <Text size="sm" c="dimmed">
        {action}
      </Text>
      <ChangeList changes={changes} />
      {kept ? <Text size="sm">{kept}</Text> : null}
      {since.length > 0 ? (
        <>
          <Text size="sm" mt="xs" fw={600}>
            Depuis
          </Text>
          <ChangeList changes={since} />
        </>
      ) : null}
    </>
  )
}
