import { IconPlus } from '@tabler/icons-react'
import { type Copy, copyTypes, listCopies } from '../../contract/catalogue.ts'
import { exportCopies } from '../../contract/catalogue-exports.ts'
import { copyStates, copyStatuses } from '../../domain/loan-rules.ts'
import { useRight } from '../api/session.ts'
import { enabledSitesQuery } from '../settings/enabled-sites.ts'
import { coverOf } from './work-columns.tsx'
import { choicesOf, sameChoices } from '../ui/forms/as-choice.ts'
import { DetailLink } from '../ui/lists/detail-link.tsx'
import { among, days, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/lists/resource-table.tsx'
import { mediaQuery } from './catalogue-data.ts'
import { categoriesQuery } from './list-queries.ts'
import { CopyStatus } from './copy-status.tsx'
import { addressOfReference, locationChoicesQuery } from './reference-data.ts'
import { useCopyActions } from './use-copy-actions.tsx'

/** Paramètres, « Exemplaires »: all of them, to be put in order by the dozen. */
export default function CopyListScreen() {
  const { actions, underWay, dialog } = useCopyActions({ isForMany: true })
  return (
    <ListScreen
      endpoint={listCopies}
      title="Exemplaires"
      noun={nounOf('exemplaire', 'm')}
      whenEmpty={useRight('LIST_REFERENCES') ? toCatalogue : []}
      exported={exportCopies}
      filters={filters}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ bar_code, name }) => `${bar_code}, ${name}`}
      rowActions={actions}
      underWay={underWay}
    >
      {dialog}
    </ListScreen>
  )
}

/** A copy is added from the page of its title. */
const toCatalogue = [
  { label: 'Ajouter un exemplaire depuis sa référence', Icon: IconPlus, to: '/references' },
]

const filters = [
  search('searchname|like', 'Titre, auteur ou code-barres'),
  among('status.name|in', 'Disponibilité', sameChoices(copyStatuses)),
  among('state|in', 'État', choicesOf(copyStates)),
  among('location|in', 'Emplacement', locationChoicesQuery),
  among('site|in', 'Site', enabledSitesQuery),
  among('medium|in', 'Supports', mediaQuery),
  among('category|in', 'Catégories', categoriesQuery),
  among('type|in', 'Type', sameChoices(copyTypes)),
  days('buy_date', 'Acquis le'),
]

const columns: readonly Column<Copy>[] = [
  {
    key: 'name',
    title: 'Titre',
    order: 'name',
    role: 'main',
    face: coverOf,
    cell: ({ reference, name }) => <DetailLink to={addressOfReference(reference)}>{name}</DetailLink>,
  },
  {
    key: 'bar_code',
    title: 'Code-barres',
    phone: 'who',
    order: 'bar_code',
    width: 10.5,
    cell: ({ bar_code }) => bar_code,
  },
  {
    key: 'status',
    title: 'Disponibilité',
    phone: 'state',
    order: 'status.name',
    role: 'lasting',
    width: 10.5,
    cell: (copy) => <CopyStatus copy={copy} />,
  },
  { key: 'state', title: 'État', role: 'extra', width: 8, cell: ({ state_name }) => state_name },
  {
    key: 'location',
    title: 'Emplacement',
    phone: 'who',
    role: 'extra',
    width: 9,
    cell: ({ location_label }) => location_label ?? '',
  },
  { key: 'site', title: 'Site', order: 'site', role: 'extra', width: 12, cell: ({ site_name }) => site_name },
]
