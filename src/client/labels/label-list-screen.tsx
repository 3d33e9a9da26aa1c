import { IconPrinter } from '@tabler/icons-react'
import { useMemo } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'

import { copyTypes } from '../../contract/catalogue.ts'
import { type LabelledReference, listLabelled } from '../../contract/label-list.ts'
import type { viewedLists } from '../../contract/views.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { useRight } from '../api/session.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { categoriesQuery } from '../catalogue/list-queries.ts'
import { addressOfReference } from '../catalogue/reference-data.ts'
import { workColumns } from '../catalogue/work-columns.tsx'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { acts } from '../ui/acts.ts'
import { sameChoices } from '../ui/forms/as-choice.ts'
import { among, days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { RowAction } from '../ui/lists/row-actions.ts'
import { StatusTag } from '../ui/status-tag.tsx'
import { longStillMs, stillMs } from '../ui/use-debounced.ts'
import type { ViewsOfList } from '../ui/lists/use-list-views.ts'

/** Titles whose copies' labels are printed, the newest first. */
export default function LabelListScreen() {
  const { search: address } = useLocation()
  const navigate = useNavigate()
  const isMultisite = useIsMultisite()
  const maySee = useRight('LIST_REFERENCES')
  const filters = useMemo(
    () => [...filtersFirst, ...(isMultisite ? [site] : []), ...filtersLast],
    [isMultisite],
  )
  const columns = useMemo(() => columnsOf(maySee), [maySee])
  const actions = useMemo((): readonly RowAction<LabelledReference>[] => {
    const print = (rows: readonly LabelledReference[]) =>
      navigate(`/bar_codes/print?ids=${rows.map(({ id }) => id).join(',')}`)
    return [
      {
        key: 'print',
        label: 'Imprimer les étiquettes',
        Icon: IconPrinter,
        isMain: true,
        run: (row) => print([row]),
        runAll: print,
      },
    ]
  }, [navigate])
  return (
    <ListScreen
      endpoint={listLabelled}
      title="Codes-barres"
      noun={nounOf('référence', 'f')}
      example="L’Étranger, d’Albert Camus, et ses deux exemplaires"
      cycle="desc-first"
      reloadMs={stillMs}
      pageActions={[
        { ...acts.printRange, label: 'Imprimer une plage' },
        {
          label: 'Imprimer tout',
          Icon: IconPrinter,
          to: { pathname: '/bar_codes/print', search: address },
        },
      ]}
      views={views}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
    />
  )
}

const views: ViewsOfList = {
  list: 'bar_codes',
  fixed: [
    { key: 'all', name: 'Toutes', filters: {} },
    {
      key: 'wanted',
      name: 'À étiqueter',
      filters: { 'wanted|eq': '1' },
      empty:
        'Aucune étiquette n’est attendue. Un exemplaire vient ici quand il est ajouté ou importé, sauf si son code est d’une plage déjà imprimée\u202f; il en part quand vous dites son étiquette imprimée.',
    },
  ],
}

const filtersFirst = [
  search('searchname|like', 'Titre, auteur ou code', longStillMs),
  among('category|in', 'Catégories', categoriesQuery),
  among('medium|in', 'Supports', mediaQuery),
]
const site = among('site|in', 'Site', enabledSitesQuery)
const filtersLast = [
  search('code|like', 'Code', longStillMs),
  among('type|in', 'Type', sameChoices(copyTypes)),
  days('created_at', 'Ajoutée le'),
]

/** What heads a row stays in sight; the others are those that views know. */
type LabelColumn = Column<LabelledReference> &
  ({ key: 'name'; role: 'main' } | { key: (typeof viewedLists.bar_codes.columns)[number] })

const columnsOf = (maySee: boolean): readonly LabelColumn[] => [
  ...workColumns<LabelledReference>(({ id, name }) =>
    maySee ? <Link to={addressOfReference(id)}>{name}</Link> : name,
  ),
  {
    key: 'copies',
    title: 'Exemplaires',
    phone: 'when',
    role: 'lasting',
    align: 'end',
    width: 7,
    cell: ({ copies_count }) => frenchNumber(copies_count),
    onPhone: ({ copies_count }) => `${frenchNumber(copies_count)} ex.`,
  },
  {
    key: 'wanted',
    title: 'À étiqueter',
    phone: 'state',
    role: 'lasting',
    align: 'end',
    width: 7,
    cell: ({ wanted_count }) =>
      wanted_count === 0 ? '' : <StatusTag tone="warn">{frenchNumber(wanted_count)}</StatusTag>,
    onPhone: ({ wanted_count }) =>
      wanted_count === 0 ? (
        ''
      ) : (
        <StatusTag tone="warn">{`${frenchNumber(wanted_count)} à étiqueter`}</StatusTag>
      ),
  },
]
