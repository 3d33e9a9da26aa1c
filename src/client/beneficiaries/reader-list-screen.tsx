import { useMemo } from 'react'

import { type Beneficiary, listBeneficiaries } from '../../contract/beneficiaries.ts'
import { exportBeneficiaries } from '../../contract/beneficiary-changes.ts'
import type { viewedLists } from '../../contract/views.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { fullName } from '../../domain/person-names.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { acts, useMayBegin } from '../ui/acts.ts'
import { addressOfReader } from '../ui/address-of.ts'
import { Initials } from '../ui/cover.tsx'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, choice, days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import type { ViewsOfList } from '../ui/lists/use-list-views.ts'
import { printCardsOf } from './print-cards.ts'
import { agenciesQuery, readerValuesQuery } from './reader-lists.ts'
import { counted } from '../ui/words.ts'
import { useReaderActions } from './use-reader-actions.tsx'

/** The readers, by last name. */
export default function ReaderListScreen() {
  const isMultisite = useIsMultisite()
  const { actions, dialog } = useReaderActions()
  const filters = useMemo(
    () => [...filtersFirst, ...(isMultisite ? [site] : []), inscription, registered],
    [isMultisite],
  )
  const columns = useMemo(() => columnsOf(isMultisite), [isMultisite])
  const begin = [
    ...(useMayBegin(acts.importReaders) ? [bring] : []),
    ...(useMayBegin(acts.registerReader) ? [add] : []),
  ]
  return (
    <ListScreen
      endpoint={listBeneficiaries}
      title="Lecteurs"
      noun={nounOf('lecteur', 'm')}
      exported={exportBeneficiaries}
      printed={cards}
      pageActions={begin}
      whenEmpty={begin}
      views={views}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={fullName}
      rowActions={actions}
      detailOf={detailOf}
    >
      {dialog}
    </ListScreen>
  )
}

const bring: PageAction = { ...acts.importReaders, label: 'Importer' }
const add: PageAction = { ...acts.registerReader, isMain: true }

const detailOf = ({ id }: Beneficiary) => addressOfReader(id)

const cards = {
  label: 'Imprimer toutes les cartes',
  print: printCardsOf,
  counted: (total: number) =>
    `${counted(total, 'carte sera imprimée', 'cartes seront imprimées')}\u202f: celles de la liste, avec ses filtres.`,
}

/** The list as people look at it first. */
const views: ViewsOfList = {
  list: 'beneficiaries',
  fixed: [
    { key: 'all', name: 'Tous', filters: {} },
    { key: 'active', name: 'Inscrits', filters: { 'is_active|eq': '1' } },
    { key: 'left', name: 'Sortis', filters: { 'is_active|eq': '0' } },
  ],
}

const filtersFirst = [
  search('searchname|like', 'Nom, matricule ou numéro'),
  among('contract|in', 'Contrat', readerValuesQuery('CONTRACT')),
]
const site = among('agency|in', 'Site', agenciesQuery)
const inscription = choice('is_active|eq', 'Inscription', [
  { value: '', label: 'Toutes' },
  { value: '1', label: 'En cours' },
  { value: '0', label: 'Terminée' },
])

const registered = days('created_at', 'Inscrit')

/** What heads a row stays in sight; the others are those that views know. */
type ReaderColumn = Column<Beneficiary> &
  ({ key: 'lastname'; role: 'main' } | { key: (typeof viewedLists.beneficiaries.columns)[number] })

const columnsOf = (isMultisite: boolean): readonly ReaderColumn[] => [
  {
    key: 'matricule',
    title: 'Matricule',
    phone: 'when',
    order: 'matricule',
    width: 7.5,
    cell: ({ matricule }) => matricule,
  },
  {
    key: 'lastname',
    title: 'Nom',
    order: 'lastname',
    role: 'main',
    // A last name is read whole in less room than a title.
    ample: 13,
    face: (reader) => <Initials name={fullName(reader)} />,
    cell: (reader) => <DetailLink to={detailOf(reader)}>{reader.lastname}</DetailLink>,
    onPhone: (reader) => (
      <DetailLink to={detailOf(reader)}>{`${reader.lastname} ${reader.firstname}`.trim()}</DetailLink>
    ),
  },
  {
    key: 'firstname',
    title: 'Prénom',
    order: 'firstname',
    role: 'lasting',
    width: 10,
    cell: ({ firstname }) => firstname,
  },
  {
    key: 'contract',
    title: 'Contrat',
    phone: 'who',
    order: 'contract_type',
    width: 10,
    cell: ({ contract_type }) => contract_type ?? '',
  },
  ...(isMultisite
    ? [
        {
          key: 'agency',
          title: 'Site',
          order: 'agency',
          role: 'extra',
          width: 11,
          cell: ({ agency }: Beneficiary) => agency ?? '',
        } as const,
      ]
    : []),
  {
    key: 'exit',
    title: 'Date de sortie',
    phone: 'state',
    order: 'exit_date',
    width: 10.5,
    cell: ({ exit_date, is_active }) =>
      exit_date === null ? (
        ''
      ) : (
        <>
          {frenchDay(exit_date)} {is_active ? null : <StatusTag tone="quiet">Fin</StatusTag>}
        </>
      ),
  },
]
