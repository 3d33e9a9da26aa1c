import * as v from 'valibot'

import { copyStatuses } from '../domain/loan-rules.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { copyState, durationType } from './loans.ts'
import { byId, day, flagInQuery, id, instant, item } from './wire.ts'

const named = v.object({ id, name: v.string() })

/** Absent for those who may list neither readers nor loans. */
const named_reader = { beneficiary_info: v.optional(v.string()), beneficiary_name: v.optional(v.string()) }

export const copyTypes = ['Location', 'Vente'] as const

export const copy = item('Copy', {
  bar_code: v.string(),
  name: v.string(),
  reference: id,
  state: copyState,
  state_name: v.string(),
  status: v.object({ name: v.picklist(copyStatuses) }),
  status_name: v.picklist(copyStatuses),
  is_unavailable: v.boolean(),
  site: id,
  site_name: v.string(),
  location: v.nullable(v.string()),
  buy_date: v.nullable(day),
  cycle_type: v.nullable(v.picklist(['DAY', 'WEEK', 'MONTH'])),
  cycle_value: v.nullable(v.number()),
  price: v.string(),
  type: v.picklist(copyTypes),
  category: v.nullable(named),
  medium: v.nullable(named),
  reservations: v.array(
    v.object({
      id,
      beneficiary_id: id,
      ...named_reader,
      start_date: v.nullable(day),
      end_date: v.nullable(day),
      queue_position: v.nullable(v.number()),
    }),
  ),
  /** The open loan; its reader is absent when the loan's site is closed to the person. */
  loaning: v.nullable(v.object({ id, beneficiary: v.optional(id), ...named_reader, end_date: day })),
})
export type Copy = v.InferOutput<typeof copy>

export const copyList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    bar_code: filterBy.number,
    'status.name': filterBy.choice(copyStatuses),
    site: filterBy.id,
    reference: filterBy.id,
    medium: filterBy.id,
    category: filterBy.id,
    type: filterBy.choice(copyTypes),
  },
  orders: ['bar_code', 'name', 'site', 'status.name', 'buy_date', 'id'],
  defaultOrder: ['bar_code', 'asc'],
} as const satisfies ListShape

export const listCopies = endpoint({
  name: 'copies.list',
  method: 'GET',
  path: '/api/copies',
  access: ['LIST_REFERENCES', 'LOANING_ADD', 'LOANING_RETURN'],
  summary: 'Les exemplaires, par page',
  list: copyList,
  answer: collectionOf(copy),
})

const tags = v.object({
  author: v.optional(v.string()),
  performer: v.optional(v.string()),
  publisher: v.optional(v.string()),
  year: v.optional(v.string()),
  collection: v.optional(v.string()),
})
export type ReferenceTags = v.InferOutput<typeof tags>

/** Field names of file 1, section 3. */
export const referenceDataNames = [
  'publication_date',
  'summary',
  'title_inside',
  'book_number',
  'book_number_dewey',
  'linked_authors',
  'linked_ref',
  'origin',
  'provider',
  'buying_price',
  'section',
  'level',
  'language',
  'subhead',
  'volume',
  'subcollection',
  'person_in_charge',
  'documentary_background',
  'subject',
] as const

export const reference = item('Reference', {
  code: v.nullable(v.string()),
  name: v.string(),
  description: v.string(),
  short_description: v.string(),
  category: v.nullable(named),
  medium: v.nullable(named),
  price: v.string(),
  type: v.picklist(copyTypes),
  deposit_check: v.boolean(),
  new_at: v.nullable(day),
  image_path: v.nullable(v.string()),
  keywords: v.array(v.string()),
  tags,
  authors: v.record(v.picklist(['author', 'editor', 'list']), v.record(v.string(), v.array(v.string()))),
  reference_data: v.record(v.picklist(referenceDataNames), v.string()),
  copies_count: v.number(),
  available_count: v.number(),
  created_at: instant,
  copies: v.optional(v.array(copy)),
})
export type Reference = v.InferOutput<typeof reference>

export const referenceList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    name: filterBy.text,
    code: filterBy.code,
    category: filterBy.id,
    medium: filterBy.id,
    type: filterBy.choice(copyTypes),
    new_at: filterBy.day,
    created_at: filterBy.day,
  },
  orders: ['created_at', 'name', 'code', 'category', 'medium', 'price', 'id'],
  defaultOrder: ['created_at', 'desc'],
} as const satisfies ListShape

export const listReferences = endpoint({
  name: 'references.list',
  method: 'GET',
  path: '/api/references',
  access: 'LIST_REFERENCES',
  summary: 'Les références, par page',
  list: referenceList,
  query: v.strictObject({ with_copies: v.optional(flagInQuery) }),
  answer: collectionOf(reference),
})

export const getReference = endpoint({
  name: 'references.get',
  method: 'GET',
  path: '/api/references/{id}',
  access: 'LIST_REFERENCES',
  summary: 'Une référence et ses exemplaires',
  params: byId,
  answer: reference,
})

export const medium = item('Medium', {
  name: v.string(),
  code: v.nullable(v.string()),
  accounting_code: v.nullable(v.string()),
  enabled: v.boolean(),
  duration: v.nullable(v.number()),
  duration_type: v.nullable(durationType),
  start_day: v.nullable(v.number()),
  end_day: v.nullable(v.number()),
  penalty_enabled: v.boolean(),
  penalty_amount: v.nullable(v.string()),
  penalty_duration_type: v.nullable(v.picklist(['DAY', 'WEEK', 'MONTH'])),
  max_loaning: v.nullable(v.number()),
  max_late: v.nullable(v.number()),
  online_booking_enabled: v.boolean(),
  loaning_conditions_enabled: v.boolean(),
  loaning_conditions_label: v.nullable(v.string()),
  loaning_conditions_file: v.nullable(v.string()),
  eligibility: v.object({
    contracts: v.array(v.string()),
    statuses: v.array(v.string()),
    dossiers: v.array(v.string()),
  }),
})
export type Medium = v.InferOutput<typeof medium>

const nameList = {
  filters: { id: filterBy.id, name: filterBy.text, enabled: filterBy.flag },
  orders: ['name', 'id'],
  defaultOrder: ['name', 'asc'],
} as const satisfies ListShape

export const listMedia = endpoint({
  name: 'media.list',
  method: 'GET',
  path: '/api/media',
  access: 'signed-in',
  summary: 'Les supports',
  list: nameList,
  answer: collectionOf(medium),
})

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

export const catalogueEndpoints = [
  listCopies,
  listReferences,
  getReference,
  listMedia,
  listCopyStates,
  listDurationTypes,
]
