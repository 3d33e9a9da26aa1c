import * as v from 'valibot'

import { copyState, durationType } from './loans.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, type ListShape } from './list.ts'

/** A code is its own id; `position` is the product's own order. */
const codeList = {
  filters: {},
  orders: ['position', 'code', 'name'],
  defaultOrder: ['position', 'asc'],
} as const satisfies ListShape
const codeItem = <const T extends string, S extends v.GenericSchema<unknown, string>>(type: T, code: S) =>
  v.object({ '@id': v.string(), '@type': v.literal(type), id: code, code, name: v.string() })

export const listCopyStates = endpoint({
  name: 'copy_states.list',
  method: 'GET',
  path: '/api/copy_states',
  access: 'signed-in',
  summary: 'Les états d’un exemplaire',
  list: codeList,
  answer: collectionOf(codeItem('CopyState', copyState)),
})

export const listDurationTypes = endpoint({
  name: 'duration_types.list',
  method: 'GET',
  path: '/api/duration_types',
  access: 'signed-in',
  summary: 'Les unités de durée',
  list: codeList,
  answer: collectionOf(codeItem('DurationType', durationType)),
})

export const codeListEndpoints = [listCopyStates, listDurationTypes]
