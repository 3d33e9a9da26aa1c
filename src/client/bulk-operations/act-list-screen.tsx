import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'

import { type Act, acts } from '../../contract/acts.ts'
import { actKindCodes, actKinds } from '../../domain/act-kinds.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { choice, days } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { dayOfInstant } from '../ui/day-of-instant.ts'
import { counted, frenchInstant } from '../ui/words.ts'
import { actState } from './act-words.ts'
import { useUndoAct } from './use-undo-act.tsx'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

const addressOf = ({ id }: Pick<Act, 'id'>) => `/settings/acts/view/${id}`

/** Paramètres, « Actes » : what was done to many records at once, each of which can be taken back. */
export default function ActListScreen() {
  const actions = useUndoAct()
  return (
    <ListScreen
      endpoint={acts.list}
      title="Actes"
      noun={nounOf('acte', 'm')}
      cycle="desc-first"
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Ce qui a été fait à plusieurs éléments à la fois. Un acte annulé rend leur état d’avant à ceux que
            personne n’a modifiés depuis, et nomme les autres.
          </Text>
          <Suspense fallback={null}>
            <JobProgress kind="acts.undo" title="Annulation" doneWords={undoneWords} />
          </Suspense>
        </>
      }
      filters={[choice('kind|in', 'Nature', kindChoices), days('begun_at', 'Fait le')]}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
      detailOf={addressOf}
    />
  )
}

const undoneWords = (count: number) =>
  `Annulation terminée\u202f: ${counted(count, 'élément examiné', 'éléments examinés')}.`

const kindChoices = [
  { value: '', label: 'Toutes' },
  ...actKindCodes.map((kind) => ({ value: kind, label: actKinds[kind].words })),
]

const columns: readonly Column<Act>[] = [
  {
    key: 'name',
    title: 'Acte',
    role: 'main',
    cell: (act) => <DetailLink to={addressOf(act)}>{act.name}</DetailLink>,
  },
  { key: 'kind', title: 'Nature', role: 'extra', cell: ({ kind }) => actKinds[kind].words },
  {
    key: 'begun_at',
    title: 'Fait le',
    phone: 'when',
    order: 'begun_at',
    cell: ({ begun_at }) => frenchInstant(begun_at),
    onPhone: ({ begun_at }) => dayOfInstant(begun_at),
  },
  { key: 'who', title: 'Par', phone: 'who', cell: ({ who }) => who },
  { key: 'touched', title: 'Éléments', align: 'end', width: 6.5, cell: ({ touched }) => touched },
  {
    key: 'state',
    title: 'État',
    phone: 'state',
    role: 'lasting',
    width: 13,
    cell: (act) => {
      const { tone, words } = actState(act)
      return <StatusTag tone={tone}>{words}</StatusTag>
    },
    // Why it is not undone is said by its detail.
    onPhone: (act) => {
      const { tone, words } = actState({ ...act, fixed: null })
      return <StatusTag tone={tone}>{words}</StatusTag>
    },
  },
]
