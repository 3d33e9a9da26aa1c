import { IconNotebook } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'

import { type JournalledEntity, journalWords } from '../../../contract/journal-words.ts'
import { useRight } from '../../api/session.ts'
import type { RowAction } from './row-actions.ts'

const JournalDialog = lazy(() => import('./journal-dialog.tsx'))

/** The action « Journal » of records, for who may change them; the last one. Render `journal` once. */
export function useJournal<Row extends { id: number }>(
  entity: JournalledEntity,
  nameOf: (row: Row) => string,
): { journalAction: readonly RowAction<Row>[]; journal: ReactNode } {
  const mayRead = useRight(...journalWords[entity].changedBy)
  const [row, setRow] = useState<Row | null>(null)
  const journalAction = useMemo(
    () => (mayRead ? [{ key: 'journal', label: 'Journal', Icon: IconNotebook, run: setRow }] : []),
    [mayRead],
  )
  return {
    journalAction,
    journal: row && (
      <Suspense fallback={null}>
        <JournalDialog entity={entity} id={row.id} name={nameOf(row)} onClose={() => setRow(null)} />
      </Suspense>
    ),
  }
}
