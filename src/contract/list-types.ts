import * as v from 'valibot'

import { listGroups } from '../domain/list-groups.ts'
import { noun } from '../domain/noun.ts'
import { endpoint } from './endpoint.ts'
import { filterBy } from './list.ts'
import { endpointsOf, type ItemOf, resource, switchable } from './resource.ts'
import { atMost, byId, id, instant, linkTo, someText } from './wire.ts'

export const listGroup = v.picklist(listGroups, 'doit être author, editor ou list')

/** Functions of coded authors, editors and lists, such as « Illustrateur ». */
export const listTypes = switchable(
  resource('list_types', 'ListType', {
    noun: noun('fonction', 'f'),
    changedBy: 'PARAMETER_REFERENCE',
    written: {
      name: someText(100),
      group: listGroup,
      /** Kept only when the group is author. */
      isMainAuthor: v.optional(v.boolean()),
      /** The media it is for; none means all of them. */
      medium: v.optional(atMost(200, 'supports', linkTo('media'))),
    },
    shown: {
      name: v.string(),
      isMainAuthor: v.boolean(),
      medium: v.array(v.object({ id, name: v.string() })),
      enabled: v.boolean(),
      nb_links: v.number(),
      date_update: instant,
    },
    filters: {
      id: filterBy.id,
      name: filterBy.text,
      group: filterBy.choice(listGroups),
      enabled: filterBy.flag,
    },
    orders: ['name', 'group', 'nb_links', 'enabled', 'date_update', 'id'],
  }),
)
export type ListType = ItemOf<typeof listTypes>

/** Pages use the POST; this one is as the specification writes it. */
export const toggleListTypeByGet = endpoint({
  ...listTypes.toggle,
  name: 'list_types.toggle_by_get',
  method: 'GET',
})

export const countListTypeLinks = endpoint({
  name: 'list_types.links',
  method: 'GET',
  path: '/api/list_types/{id}/links',
  access: 'signed-in',
  summary: 'Combien de fois les références portent une valeur de cette fonction',
  params: byId,
  answer: v.object({ nb_links: v.number() }),
})

export const listTypeEndpoints = [...endpointsOf(listTypes), toggleListTypeByGet, countListTypeLinks]
