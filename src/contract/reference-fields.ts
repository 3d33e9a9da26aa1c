import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, instant, text } from './wire.ts'

/** The fields of a reference that the library may rename or do without. */
export const referenceFields = listed('reference_fields', 'ReferenceField', {
  words: ['un champ des références', 'les champs des références'],
  shown: {
    code: v.string(),
    name: v.string(),
    /** The library's own name of it, or empty. */
    traduction: v.string(),
    disabled: v.boolean(),
    date_update: instant,
  },
  filters: {
    id: filterBy.id,
    code: filterBy.code,
    name: filterBy.text,
    traduction: filterBy.text,
    disabled: filterBy.flag,
  },
  orders: ['name', 'traduction', 'code', 'disabled', 'date_update', 'position', 'id'],
})
export type ReferenceFieldItem = ItemOf<typeof referenceFields>

export const changeReferenceField = endpoint({
  name: 'reference_fields.change',
  method: 'PUT',
  path: '/api/reference_fields/{id}',
  access: 'PARAMETER_REFERENCE',
  summary: 'Renommer un champ des références, ou s’en passer',
  params: byId,
  body: v.strictObject({ traduction: v.optional(text(100)), disabled: v.optional(v.boolean()) }),
  answer: referenceFields.member,
})

export const referenceFieldEndpoints = [referenceFields.list, changeReferenceField]
