import { SegmentedControl, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { IconStack2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router-dom'

import { type Act, type ActRow, getAct, listActRows } from '../../contract/acts.ts'
import { type Filter, membersOf, totalOf } from '../../contract/list.ts'
import { actKinds, undoingGoesOn } from '../../domain/act-kinds.ts'
import { call } from '../api/call.ts'
import { oneQuery } from '../api/queries.ts'
import { Facts, FactsOf } from '../ui/facts.tsx'
import { ChangeList } from '../ui/lists/change-list.tsx'
import { Detail } from '../ui/lists/detail.tsx'
import { PageTurner } from '../ui/page-turner.tsx'
import { EmptyState, UnreadState } from '../ui/states.tsx'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'
import { counted, frenchInstant } from '../ui/words.ts'
import styles from './act-view-screen.module.css'
import { actState, touchedWords } from './act-words.ts'
import { useUndoAct } from './use-undo-act.tsx'

const limit = 25

const states: Record<ActRow['state'], { tone: Tone; words: string }> = {
  left: { tone: 'quiet', words: 'Tel que l’acte l’a laissé' },
  changed: { tone: 'warn', words: 'Modifié depuis' },
  undone: { tone: 'good', words: 'Rendu à son état d’avant' },
}

/** Each record that an act touched, and for those changed since, both states. */
function ActRows({ act }: { act: Act }) {
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

/** An act: who did it, when, and each record that it touched. */
export default function ActViewScreen() {
  const id = Number(useParams()['act_id'])
  const {
    data: act,
    error,
    refetch,
  } = useQuery({
    ...oneQuery(getAct, id),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? restOf(state.data) : false),
  })
  const actions = useUndoAct()
  return (
    <Detail
      of={act}
      title={act?.name ?? 'Acte'}
      picture={<IconStack2 size="2.5rem" stroke={1.5} aria-hidden />}
      state={act ? <StatusTag tone={actState(act).tone}>{actState(act).words}</StatusTag> : null}
      actions={actions}
      primary="undo"
    >
      {act ? (
        <>
          <FactsOf>
            <Facts
              title="L’acte"
              facts={[
                ['Nature', actKinds[act.kind].words],
                ['Fait le', frenchInstant(act.begun_at)],
                ['Par', act.who],
                ['Touchés', touchedWords(act.touched)],
                ['Rendus à leur état d’avant', act.undone > 0 ? touchedWords(act.undone) : null],
                // Its state says so.
                ['Ne s’annule pas', act.touched > 0 && act.undone >= act.touched ? null : act.fixed],
              ]}
            />
          </FactsOf>
          <ActRows key={id} act={act} />
        </>
      ) : (
        <UnreadState
          error={error}
          onRetry={refetch}
          lead={{ to: '/settings/acts', label: 'Les actes' }}
          height="12rem"
        />
      )}
    </Detail>
  )
}

/** All of its lines are counted each time: of an import of a hundred thousand rows, that takes the embedded engine a second. */
const restOf = ({ touched }: Act) => Math.min(10_000, Math.max(1000, touched / 10))

/** Somebody is doing or undoing it at this moment. */
const isMoving = ({ ended_at, fixed }: Act) => ended_at === null || fixed === undoingGoesOn
