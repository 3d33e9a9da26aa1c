import { Text } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'

import { type Import, imports, importStatuses } from '../../contract/imports.ts'
import { importSubjects, importSubjectWords } from '../../domain/import-fields.ts'
import { importDone } from '../../domain/sentences/imports.ts'
import { choice } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { dayOfInstant } from '../ui/day-of-instant.ts'
import { frenchInstant } from '../ui/words.ts'
import { addressOfImport, countsWords, importState, rowsWords } from './import-words.ts'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

/** The files that were brought in, or are about to be. */
export default function ImportListScreen() {
  return (
    <ListScreen
      endpoint={imports.list}
      title="Imports"
      noun={nounOf('import', 'm')}
      example="un tableur de lecteurs, ou les notices d’un autre logiciel"
      cycle="desc-first"
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Un fichier est d’abord lu et essayé, sans que rien ne change. Importé, il peut encore être annulé.
          </Text>
          <Suspense fallback={null}>
            <JobProgress kind="imports.run" title="Import" doneWords={() => importDone} />
          </Suspense>
        </>
      }
      pageActions={begin}
      whenEmpty={begin}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
    />
  )
}

const begin: readonly PageAction[] = [
  {
    label: 'Importer un fichier',
    short: 'Importer',
    Icon: IconFileImport,
    to: '/imports/add',
    isMain: true,
  },
]

const filters = [
  choice('subject|in', 'Contenu', [
    { value: '', label: 'Tous' },
    ...importSubjects.map((subject) => ({ value: subject, label: importSubjectWords[subject] })),
  ]),
  choice('status|in', 'État', [
    { value: '', label: 'Tous' },
    ...importStatuses.map((status) => ({
      value: status,
      label: importState({ status, problem: null }).words,
    })),
  ]),
]

const columns: readonly Column<Import>[] = [
  {
    key: 'name',
    title: 'Fichier',
    role: 'main',
    cell: (one) => <Link to={addressOfImport(one)}>{one.name}</Link>,
  },
  {
    key: 'subject',
    title: 'Contenu',
    phone: 'who',
    width: 13,
    cell: ({ subject }) => importSubjectWords[subject],
  },
  { key: 'who', title: 'Par', role: 'extra', cell: ({ who }) => who },
  {
    key: 'created_at',
    title: 'Lu le',
    phone: 'when',
    order: 'created_at',
    width: 10,
    cell: ({ created_at }) => frenchInstant(created_at),
    onPhone: ({ created_at }) => dayOfInstant(created_at),
  },
  {
    key: 'counts',
    title: 'Lignes',
    phone: 'who',
    width: 16,
    cell: ({ counts, rows }) => countsWords(counts) || rowsWords(rows),
  },
  {
    key: 'status',
    title: 'État',
    phone: 'state',
    role: 'lasting',
    width: 13,
    cell: (one) => {
      const { tone, words } = importState(one)
      return <StatusTag tone={tone}>{words}</StatusTag>
    },
  },
]
