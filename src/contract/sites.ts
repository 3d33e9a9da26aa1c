import * as v from 'valibot'

import { labelSymbologies } from '../domain/label-symbologies.ts'
import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'

export const sites = listed('sites', 'Site', {
  words: ['un site', 'les sites'],
  shown: {
    name: v.string(),
    enabled: v.boolean(),
    gestit_id: v.nullable(v.string()),
    bar_codes_configuration: v.object({
      siteCode: v.string(),
      firstValue: v.string(),
      /** What its labels are written in. */
      symbology: v.picklist(labelSymbologies),
    }),
    /** The last code that was given at the site. */
    last_reference: v.nullable(v.string()),
    /** Monday 1 to Sunday 7; a site is open on one at least. */
    open_weekdays: v.array(v.number()),
    /** How long it is open in a week; null where nobody said. */
    weekly_minutes: v.nullable(v.number()),
  },
  filters: { id: filterBy.id, name: filterBy.text, enabled: filterBy.flag },
  orders: ['name', 'enabled', 'gestit_id', 'id'],
})
export type Site = ItemOf<typeof sites>
