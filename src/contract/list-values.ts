import * as v from 'valibot'

import { listGroups } from '../domain/list-groups.ts'
import { noun } from '../domain/noun.ts'
import { endpoint } from './endpoint.ts'
import { filterBy } from './list.ts'
import { listGroup } from './list-types.ts'
import { endpointsOf, type ItemOf, resource, switchable } from './resource.ts'
import { byId, id, instant, linkTo, someText } from './wire.ts'

/** The authors, editors and words of lists that references share, each of a function. */
export const listValues = switchable(
  resource('list_values', 'ListValue', {
    noun: noun('valeur', 'f'),
    changedBy: 'PARAMETER_REFERENCE',
    written: {
      name: someText(300),
      type: linkTo('list_types'),
      /** The group of its function, which may be left out. */
      group: v.optional(listGroup),
      enabled: v.optional(v.boolean()),
    },
    shown: {
      name: v.string(),
      type: v.object({ id, name: v.string() }),
      group: listGroup,
      enabled: v.boolean(),
      ref_count: v.number(),
      date_update: instant,
    },
    filters: {
      id: filterBy.id,
      name: filterBy.text,
      group: filterBy.choice(listGroups),
      type: filterBy.id,
      'type.name': filterBy.text,
      enabled: filterBy.flag,
    },
    orders: ['name', 'type.name', 'ref_count', 'enabled', 'date_update', 'id'],
  }),
)
export type ListValue = ItemOf<typeof listValues>

/** Pages use the POST; this one is as the specification writes it. */
export const toggleListValueByGet = endpoint({
  ...listValues.toggle,
  name: 'list_values.toggle_by_get',
  method: 'GET',
})

const bothIds = v.strictObject({ source: byId.entries.id, target: byId.entries.id })

export const mergeListValues = endpoint({
  name: 'list_values.merge',
  method: 'POST',
  path: '/api/list_values/{source}/merge/{target}',
  access: 'PARAMETER_REFERENCE',
  summary: 'Faire passer à une valeur les références d’une autre, qui disparaît',
  params: bothIds,
  answer: listValues.member,
})

/** As the specification writes it. */
export const mergeListValuesByGet = endpoint({
  ...mergeListValues,
  name: 'list_values.merge_by_get',
  method: 'GET',
})

export const listValueEndpoints = [
  ...endpointsOf(listValues),
  toggleListValueByGet,
  mergeListValues,
  mergeListValuesByGet,
]
