import { Text } from '@mantine/core'
import { Link } from 'react-router-dom'

import { type Inventory, inventories, inventoryStatuses } from '../../contract/inventories.ts'
import { frenchNumber } from '../../domain/french-number.ts'
import { acts } from '../ui/acts.ts'
import { choice, search } from '../ui/lists/filters.tsx'
import { ListScreen } from '../ui/lists/list-screen.tsx'
import { inSentences } from '../ui/nouns.ts'
import type { PageAction } from '../ui/page-actions.tsx'
import type { Column } from '../ui/lists/resource-table.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { dayOfInstant } from '../ui/day-of-instant.ts'
import { frenchInstant } from '../ui/words.ts'
import { HereCounts } from './here-counts.tsx'
import { addressOfInventory, seenWords, statusWords } from './inventory-words.ts'

/** Those under way and those that were, with what this device can count off line on top. */
export default function InventoryListScreen() {
  return (
    <ListScreen
      endpoint={inventories.list}
      title="Inventaires"
      noun={inSentences(inventories.noun)}
      example="toute la médiathèque, ou les albums jeunesse"
      cycle="desc-first"
      about={
        <>
          <Text c="dimmed" maw="46rem">
            Scannez ce qui est en rayon, à plusieurs et même sans réseau. Rien ne change avant que vous n’ayez
            examiné ce qui manque.
          </Text>
          <HereCounts />
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

const begin: readonly PageAction[] = [{ ...acts.startInventory, label: 'Nouvel inventaire', isMain: true }]

const filters = [
  search('name|like', 'Nom'),
  choice('status|in', 'État', [
    { value: '', label: 'Tous' },
    ...inventoryStatuses.map((status) => ({ value: status, label: statusWords[status].words })),
  ]),
]

const columns: readonly Column<Inventory>[] = [
  {
    key: 'name',
    title: 'Nom',
    order: 'name',
    role: 'main',
    cell: (one) => <Link to={addressOfInventory(one)}>{one.name}</Link>,
  },
  { key: 'site_name', title: 'Site', phone: 'who', width: 12, cell: ({ site_name }) => site_name },
  { key: 'seen', title: 'Vus', phone: 'who', width: 10, cell: (one) => seenWords(one) },
  { key: 'scans', title: 'Scans', align: 'end', cell: ({ scans }) => frenchNumber(scans) },
  { key: 'who', title: 'Par', role: 'extra', cell: ({ who }) => who },
  {
    key: 'created_at',
    title: 'Commencé le',
    phone: 'when',
    order: 'created_at',
    width: 10,
    cell: ({ created_at }) => frenchInstant(created_at),
    onPhone: ({ created_at }) => dayOfInstant(created_at),
  },
  {
    key: 'status',
    title: 'État',
    phone: 'state',
    role: 'lasting',
    width: 9,
    cell: ({ status }) => <StatusTag tone={statusWords[status].tone}>{statusWords[status].words}</StatusTag>,
  },
]
