import { Text } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { IconEraser, IconEye } from '@tabler/icons-react'
import { lazy, Suspense, useMemo } from 'react'
import { Link, useNavigate } from 'react-router-dom'

import { eraseInactive, type InactiveReader, inactiveReaders } from '../../contract/personal-data.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { frenchMoney } from '../../domain/money.ts'
import { useChange } from '../api/queries.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Initials } from '../ui/cover.tsx'
import { useConfirm } from '../ui/dialogs/confirm.tsx'
import { choice, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { counted } from '../ui/words.ts'

const JobProgress = lazy(() => import('../ui/job-progress.tsx'))

/** Readers whom the library may let go, looked through and erased as one act. */
export default function InactiveListScreen() {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const isMultisite = useIsMultisite()
  const erase = useChange(eraseInactive)
  const ask = useCallbackRef(async (readers: readonly InactiveReader[]) => {
    const isSure = await confirm({
      title:
        readers.length === 1
          ? `Effacer ${readers[0]?.name}\u202f?`
          : `Effacer ${readers.length} lecteurs\u202f?`,
      message:
        'Rien ne les nommera plus\u202f: ni leur fiche, ni leurs proches, ni le journal, ni leurs prêts passés, qui restent dans les statistiques. Leurs ventes gardent le jour, le titre et le montant. Un effacement ne s’annule pas.',
      acts: 'destroys',
    })
    if (!isSure) return
    // Its progress tells the rest: a sentence of its own would come after the end of a short one.
    await erase.mutateAsync({ body: { beneficiaries: readers.map(({ id }) => id) } })
  })
  const actions = useMemo(
    (): readonly RowAction<InactiveReader>[] => [
      {
        key: 'view',
        label: 'Voir',
        Icon: IconEye,
        run: ({ id }) => void navigate(addressOfReader(id)),
      },
      {
        key: 'erase',
        label: 'Effacer',
        labelOfAll: 'Effacer la sélection',
        Icon: IconEraser,
        tone: 'bad',
        may: ({ is_settled }) => is_settled,
        run: (reader) => ask([reader]),
        runAll: ask,
      },
    ],
    [ask, navigate],
  )
  return (
    <ListScreen
      endpoint={inactiveReaders.list}
      title="Lecteurs à effacer"
      noun={nounOf('lecteur à effacer', 'm', 'lecteurs à effacer')}
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Ils n’ont rien emprunté, prolongé ni rendu depuis longtemps, n’ont rien à rendre et n’attendent
            rien. Cochez ceux que vous laissez partir&#8239;: ils sont effacés en un acte. Un porte-monnaie se
            solde d’abord.
          </Text>
          <Suspense fallback={null}>
            <JobProgress kind="readers.erase" title="Effacement" doneWords={doneWords} />
          </Suspense>
        </>
      }
      filters={[search('name|like', 'Nom'), choice('is_settled|eq', 'Porte-monnaie', settledChoices)]}
      columns={isMultisite ? columns : columnsOfOneSite}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
    />
  )
}

const doneWords = (count: number) =>
  `Effacement terminé\u202f: ${counted(count, 'lecteur examiné', 'lecteurs examinés')}.`

const settledChoices = [
  { value: '', label: 'Tous' },
  { value: '1', label: 'Vide' },
  { value: '0', label: 'À solder' },
]

const columns: readonly Column<InactiveReader>[] = [
  {
    key: 'name',
    title: 'Nom',
    order: 'name',
    role: 'main',
    face: Initials,
    cell: ({ id, name }) => <Link to={addressOfReader(id)}>{name}</Link>,
  },
  { key: 'matricule', title: 'Matricule', phone: 'who', role: 'extra', cell: ({ matricule }) => matricule },
  {
    key: 'last_active_on',
    title: 'Dernier prêt ou retour',
    phone: 'when',
    order: 'last_active_on',
    role: 'day',
    width: 13,
    cell: ({ last_active_on }) => (last_active_on === null ? 'Aucun' : frenchDay(last_active_on)),
    onPhone: ({ last_active_on }) => (last_active_on === null ? 'jamais venu' : frenchDay(last_active_on)),
  },
  {
    key: 'exit_date',
    title: 'Date de sortie',
    phone: 'who',
    order: 'exit_date',
    role: 'day',
    cell: ({ exit_date }) => (exit_date === null ? null : frenchDay(exit_date)),
    onPhone: ({ exit_date }) => (exit_date === null ? null : `sortie le ${frenchDay(exit_date)}`),
  },
  { key: 'contract_type', title: 'Contrat', phone: 'who', cell: ({ contract_type }) => contract_type },
  { key: 'agency', title: 'Site', role: 'extra', cell: ({ agency }) => agency },
  {
    key: 'registered_on',
    title: 'Inscrit le',
    order: 'registered_on',
    role: 'day',
    cell: ({ registered_on }) => frenchDay(registered_on),
  },
  {
    key: 'wallet_amount',
    title: 'Porte-monnaie',
    phone: 'state',
    width: 11,
    cell: ({ wallet_amount, is_settled }) =>
      is_settled || wallet_amount === null ? null : (
        <StatusTag tone="warn">{`À solder\u202f: ${frenchMoney(wallet_amount)}`}</StatusTag>
      ),
  },
]
const columnsOfOneSite = columns.filter(({ key }) => key !== 'agency')
