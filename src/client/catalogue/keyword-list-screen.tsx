import { TextInput } from '@mantine/core'

import { type Keyword, keywords } from '../../contract/keywords.ts'
import { useRight } from '../api/session.ts'
import { activity, search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { longStillMs } from '../ui/use-debounced.ts'
import { frenchInstant } from '../ui/words.ts'

export default function KeywordListScreen() {
  return (
    <ResourceScreen
      resource={keywords}
      title="Mots-clés"
      about="Ils décrivent les références. Renommé, un mot-clé l’est sur toutes&#8239;; désactivé, il n’est plus proposé."
      noun={nounOf('mot-clé', 'm', 'mots-clés')}
      example="jardinage"
      mayChange={useRight('PARAMETER_KEYWORD')}
      nameOf={({ name }) => name}
      filters={[search('name|like', 'Nom', longStillMs), activity('Tous', 'Activés', 'Désactivés')]}
      columns={columns}
      fields={({ text }) => <TextInput required maxLength={100} {...text('name', 'Nom')} />}
    />
  )
}

const columns: readonly Column<Keyword>[] = [
  { key: 'name', title: 'Nom', order: 'name', role: 'main', cell: ({ name }) => name },
  {
    key: 'ref_count',
    title: 'Références',
    order: 'ref_count',
    align: 'end',
    cell: ({ ref_count }) => ref_count,
  },
  {
    key: 'date_update',
    title: 'Modifié le',
    order: 'date_update',
    role: 'day',
    cell: ({ date_update }) => frenchInstant(date_update),
  },
]
