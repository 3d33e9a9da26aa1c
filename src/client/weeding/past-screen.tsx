import { useCallbackRef } from '@mantine/hooks'
import { IconArrowBackUp, IconFileTypePdf } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'

import { undoAct } from '../../contract/acts.ts'
import { type Weeding, weedings } from '../../contract/weeding.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { weedingReasons } from '../../domain/weeding.ts'
import { useChange } from '../api/queries.ts'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { days } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { counted } from '../ui/words.ts'
import { CouncilDialog } from './council-dialog.tsx'
import { WeedingTabs } from './weeding-tabs.tsx'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

/** What was withdrawn at once, each with its list for the council and the act that takes it back. */
export default function PastScreen() {
  const [printed, print] = useState<number | null>(null)
  const confirm = useConfirm()
  const undoing = useChange(undoAct)
  const undo = useCallbackRef(async (one: Weeding) => {
    const isSure = await confirm({
      title: `Annuler le ${nameOf(one).toLowerCase()}\u202f?`,
      message: `${counted(one.copies, 'exemplaire revient', 'exemplaires reviennent')} au catalogue et au panier. Ce qui a été modifié depuis reste comme il est.`,
      acts: 'destroys',
    })
    if (isSure) await undoing.mutateAsync({ params: { id: one.act } })
  })
  const actions = useMemo(
    (): readonly RowAction<Weeding>[] => [
      {
        key: 'council',
        label: 'Liste pour le conseil',
        Icon: IconFileTypePdf,
        isMain: true,
        run: ({ id }) => print(id),
      },
      {
        key: 'undo',
        label: 'Annuler ce désherbage',
        Icon: IconArrowBackUp,
        isMain: true,
        run: undo,
      },
    ],
    [undo],
  )
  return (
    <ListScreen
      endpoint={weedings.list}
      title="Désherbages faits"
      noun={nounOf('désherbage', 'm')}
      cycle="desc-first"
      about={
        <>
          <WeedingTabs current="past" />
          <Suspense fallback={null}>
            <JobProgress
              kind="weeding.withdraw"
              title="Retrait du fonds"
              doneWords={() => 'Désherbage fait.'}
            />
            <JobProgress kind="acts.undo" title="Annulation" doneWords={() => 'Annulation faite.'} />
          </Suspense>
        </>
      }
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={nameOf}
      rowActions={actions}
    >
      {printed === null ? null : <CouncilDialog weeding={printed} onClose={() => print(null)} />}
    </ListScreen>
  )
}

const filters = [days('withdrawn_on', 'Retirés')]

const nameOf = ({ withdrawn_on }: Weeding): string => `Désherbage du ${frenchDay(withdrawn_on)}`

const columns: readonly Column<Weeding>[] = [
  {
    key: 'withdrawn_on',
    title: 'Désherbage',
    order: 'withdrawn_on',
    role: 'main',
    cell: (one) => <Link to={`/settings/acts/view/${one.act}`}>{nameOf(one)}</Link>,
  },
  {
    key: 'copies',
    title: 'Exemplaires',
    width: 9,
    cell: ({ copies }) => counted(copies, 'exemplaire', 'exemplaires'),
  },
  {
    key: 'reasons',
    title: 'Destination',
    width: 14,
    cell: ({ reasons }) => reasons.map((reason) => weedingReasons[reason]).join(', '),
  },
  {
    key: 'value',
    title: 'Valeur connue',
    align: 'end',
    width: 9,
    cell: ({ value }) => (Number(value) > 0 ? frenchMoney(value) : ''),
  },
  { key: 'who', title: 'Par', role: 'extra', width: 10, cell: ({ who }) => who },
]
