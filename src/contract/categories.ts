import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, resource } from './resource.ts'
import { instant, someText } from './wire.ts'

export const categories = resource('categories', 'Category', {
  words: ['une catégorie', 'les catégories'],
  changedBy: 'PARAMETER_CATEGORY',
  written: { name: someText(100) },
  shown: { ref_count: v.number(), date_update: instant },
  filters: { id: filterBy.id, name: filterBy.text },
  orders: ['name', 'ref_count', 'date_update', 'id'],
})
export type Category = ItemOf<typeof categories>
