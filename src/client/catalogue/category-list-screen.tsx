import { TextInput } from '@mantine/core'

import { categories, type Category } from '../../contract/categories.ts'
import { moveCategory } from '../../contract/moves.ts'
import { useRight } from '../api/session.ts'
import { search } from '../ui/filters.tsx'
import { nounOf } from '../ui/nouns.ts'
import type { Column } from '../ui/resource-table.tsx'
import { ResourceScreen } from '../ui/resource-screen.tsx'
import { frenchInstant } from '../ui/words.ts'

/** Paramètres, « Catégories ». */
export default function CategoryListScreen() {
  return (
    <ResourceScreen
      resource={categories}
      title="Catégories"
      about="Chaque référence est d’une catégorie, par laquelle les prêts se filtrent. Renommée, elle l’est partout."
      noun={nounOf('catégorie', 'f')}
      example="Romans policiers"
      mayChange={useRight('PARAMETER_CATEGORY')}
      nameOf={({ name }) => name}
      moves={{ by: moveCategory, label: 'Autre catégorie', missing: 'Choisissez leur catégorie.' }}
      filters={[search('name|like', 'Nom')]}
      columns={columns}
      fields={({ text }) => <TextInput required maxLength={100} {...text('name', 'Nom')} />}
    />
  )
}

const columns: readonly Column<Category>[] = [
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
    title: 'Modifiée le',
    order: 'date_update',
    role: 'day',
    cell: ({ date_update }) => frenchInstant(date_update),
  },
]
