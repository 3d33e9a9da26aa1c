import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { exportReferences } from '../../contract/catalogue-exports.ts'
import {
  copyTypes,
  listReferences,
  type Reference,
  referenceDataNames,
  tagNames,
} from '../../contract/catalogue.ts'
import type { viewedLists } from '../../contract/views.ts'
import { audienceWords } from '../../domain/age-bands.ts'
import { type ChosenSite, useSession } from '../api/session.ts'
import { useIsMultisite } from '../settings/multisite.ts'
import { acts, useMayBegin } from '../ui/acts.ts'
import { asChoice, choicesOf, sameChoices } from '../ui/forms/as-choice.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, days, type ListFilter, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import type { ViewsOfList } from '../ui/lists/use-list-views.ts'
import { nounOf } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import { longStillMs, stillMs } from '../ui/use-debounced.ts'
import { mediaQuery } from './catalogue-data.ts'
import { CopyCount } from './copy-count.tsx'
import { listTypesQuery, typeChoice } from './list-data.ts'
import { categoriesQuery } from './list-queries.ts'
import { addressOfReference } from './reference-data.ts'
import { useFieldWords } from './reference-field-data.ts'
import { useReferenceActions } from './use-reference-actions.tsx'
import { workColumns } from './work-columns.tsx'

/** The catalogue, the newest first. */
export default function ReferenceListScreen() {
  const { actions, dialog } = useReferenceActions()
  const { labelOf, isShown } = useFieldWords()
  const [author, isAuthorShown] = [labelOf('tags.author'), isShown('tags.author')]
  const filters = useReferenceFilters()
  const columns = useMemo(() => columnsWith(author, isAuthorShown), [author, isAuthorShown])
  const mayAdd = useMayBegin(acts.addReference)
  const mayImport = useMayBegin(acts.importReferences)
  const begin: readonly PageAction[] = [...(mayImport ? [bring] : []), ...(mayAdd ? [add] : [])]
  return (
    <ListScreen
      endpoint={listReferences}
      title="Références"
      noun={nounOf('référence', 'f')}
      example="L’Étranger, d’Albert Camus"
      cycle="desc-first"
      reloadMs={stillMs}
      exported={exportReferences}
      pageActions={begin}
      whenEmpty={begin}
      savedAs="references"
      views={views}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={actions}
      detailOf={detailOf}
    >
      {dialog}
    </ListScreen>
  )
}

const bring: PageAction = { ...acts.importReferences, label: 'Importer' }
const add: PageAction = { ...acts.addReference, isMain: true }

const detailOf = ({ id }: Reference) => addressOfReference(id)

const views: ViewsOfList = { list: 'references', fixed: [{ key: 'all', name: 'Toutes', filters: {} }] }

const deliveredFilters = [
  search('searchname|like', 'Titre, auteur ou code', longStillMs),
  among('category|in', 'Catégories', categoriesQuery),
  among('medium|in', 'Supports', mediaQuery),
  search('code|like', 'Code', longStillMs),
  among('audience|in', 'Public', choicesOf(audienceWords)),
  among('type|in', 'Type', sameChoices(copyTypes)),
  days('new_at', 'Nouveauté jusqu’au'),
  days('created_at', 'Ajoutée le'),
]

/** Those delivered, then one for each field and function of the library, which each person may choose. */
function useReferenceFilters(): readonly ListFilter[] {
  const { labelOf, isShown } = useFieldWords()
  const { data: types = [] } = useQuery(listTypesQuery)
  const sites = useSession()?.user?.sites ?? []
  const fields = fieldNames.filter(isShown).map((field) => words(field, labelOf(field)))
  const functions = types
    .filter(({ enabled }) => enabled)
    .map((type) => words(`list_types.${type.id}`, typeChoice(type).label))
  return [...deliveredFilters, ...(useIsMultisite() ? [siteFilter(sites)] : []), ...fields, ...functions]
}

/** Where they have a copy; figures of statistics lead here by it. */
const siteFilter = (sites: readonly ChosenSite[]): ListFilter => ({
  ...among('site|in', 'Site', sites.map(asChoice)),
  isOptional: true,
})

const fieldNames = [
  ...tagNames.map((name) => `tags.${name}`),
  ...referenceDataNames.map((name) => `reference_data.${name}`),
]

const words = (code: string, label: string): ListFilter => ({
  ...search(`${code}|like`, label, longStillMs),
  isOptional: true,
})

/** What heads a row stays in sight; the others are those that views know. */
type ReferenceColumn = Column<Reference> &
  ({ key: 'name'; role: 'main' } | { key: (typeof viewedLists.references.columns)[number] })

const columnsWith = (author: string, isAuthorShown: boolean): readonly ReferenceColumn[] =>
  ownColumns
    .filter(({ key }) => key !== 'author' || isAuthorShown)
    .map((column) => (column.key === 'author' ? { ...column, title: author } : column))

const ownColumns: readonly ReferenceColumn[] = [
  ...workColumns<Reference>(({ id, name }) => <DetailLink to={addressOfReference(id)}>{name}</DetailLink>),
  {
    key: 'copies',
    title: 'Exemplaires',
    phone: 'when',
    role: 'lasting',
    width: 12,
    cell: (reference) => <CopyCount of={reference} />,
  },
]
