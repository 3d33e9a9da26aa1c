import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, resource } from './resource.ts'
import { noneOr, someText } from './wire.ts'

export const locations = resource('locations', 'Location', {
  words: ['un emplacement', 'les emplacements'],
  changedBy: 'PARAMETER_LOCATIONS',
  written: {
    label: someText(100),
    /** Of the shelf itself: scanned in an inventory, it says where what follows stands. */
    bar_code: v.optional(v.nullable(noneOr(someText(64)))),
  },
  shown: { bar_code: v.nullable(v.string()), copies_count: v.number() },
  filters: { id: filterBy.id, label: filterBy.text, bar_code: filterBy.code },
  orders: ['label', 'copies_count', 'id'],
})
export type Location = ItemOf<typeof locations>
