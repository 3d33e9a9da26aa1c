import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, resource } from './resource.ts'
import { someText } from './wire.ts'

export const locations = resource('locations', 'Location', {
  words: ['un emplacement', 'les emplacements'],
  changedBy: 'PARAMETER_LOCATIONS',
  written: { label: someText(100) },
  shown: { copies_count: v.number() },
  filters: { id: filterBy.id, label: filterBy.text },
  orders: ['label', 'copies_count', 'id'],
})
export type Location = ItemOf<typeof locations>
