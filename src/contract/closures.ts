import * as v from 'valibot'

import { noun } from '../domain/noun.ts'
import { filterBy } from './list.ts'
import { type ItemOf, resource } from './resource.ts'
import { day, id, instant, linkTo, someText } from './wire.ts'

/** Days when a site, or every one, is closed; each due date moves past them as it is made. */
export const closures = resource('closures', 'Closure', {
  noun: noun('fermeture', 'f'),
  changedBy: 'PARAMETER_SITE',
  written: {
    /** Null closes every site. */
    site: v.nullable(linkTo('sites')),
    first_day: day,
    last_day: day,
    label: someText(100),
  },
  shown: {
    site: v.nullable(id),
    site_name: v.nullable(v.string()),
    /** The act that closed, and moved what was due. */
    act: v.nullable(id),
    date_update: instant,
  },
  filters: {
    id: filterBy.id,
    site: filterBy.id,
    first_day: filterBy.day,
    last_day: filterBy.day,
    label: filterBy.text,
  },
  orders: ['first_day', 'last_day', 'label', 'site_name', 'date_update', 'id'],
  defaultDirection: 'desc',
})
export type Closure = ItemOf<typeof closures>
