import * as v from 'valibot'

import { audiences } from '../domain/age-bands.ts'
import { outsideSources } from '../domain/image-sources.ts'
import { listGroups } from '../domain/list-groups.ts'
import { copyStatuses } from '../domain/loan-rules.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { copyState } from './loans.ts'
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
  location: v.nullable(v.object({ id, label: v.string() })),
  location_label: v.nullable(v.string()),
  buy_date: v.nullable(day),
  cycle_type: v.nullable(v.picklist(['DAY', 'WEEK', 'MONTH'])),
  cycle_value: v.nullable(v.number()),
  price: v.string(),
  /** Null where its price is the reference's. */
  own_price: v.nullable(v.string()),
  type: v.picklist(copyTypes),
  category: v.nullable(named),
  medium: v.nullable(named),
  image_path: v.nullable(v.string()),
  /** On its way: from where, and the day it was sent. */
  sent_from: v.nullable(named),
  date: v.nullable(day),
  /** It was sold, and is in the stock no more. */
  sold_on: v.nullable(day),
  reservations: v.array(
    v.object({
      id,
      beneficiary_id: id,
      ...named_reader,
      /** The copy that is wished for, and the one that is set aside: of the title, and perhaps another than this. */
      copy_id: v.nullable(id),
      set_aside_copy: v.nullable(id),
      start_date: v.nullable(day),
      end_date: v.nullable(day),
      queue_position: v.nullable(v.number()),
    }),
  ),
  /** What the title can give besides this copy; null where nobody reserved days of it for any copy. */
  capacity: v.nullable(
    v.object({ copies: v.number(), loans: v.array(v.object({ start_date: day, end_date: day })) }),
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
    state: filterBy.choice(copyState.options),
    location: filterBy.id,
    buy_date: filterBy.day,
    site: filterBy.id,
    /** The copies that a site sent and that have not arrived, wherever they go. */
    sent_from: filterBy.id,
    date: filterBy.day,
    reference: filterBy.id,
    medium: filterBy.id,
    category: filterBy.id,
    type: filterBy.choice(copyTypes),
  },
  orders: ['bar_code', 'name', 'site', 'status.name', 'buy_date', 'sent_from', 'date', 'id'],
  defaultOrder: ['bar_code', 'asc'],
} as const satisfies ListShape

export const listCopies = endpoint({
  name: 'copies.list',
  method: 'GET',
  path: '/api/copies',
  access: ['LIST_REFERENCES', 'LOANING_ADD', 'LOANING_RETURN', 'LIST_TRANSFERS', 'PARAMETER_COPIES'],
  summary: 'Les exemplaires, par page',
  list: copyList,
  answer: collectionOf(copy),
})

export const tagNames = ['author', 'performer', 'publisher', 'year', 'collection'] as const
export type ReferenceTags = Partial<Record<(typeof tagNames)[number], string>>
const tags = v.record(v.picklist(tagNames), v.string())

/** Field names of the specification. */
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
  audience: v.nullable(v.picklist(audiences)),
  /** An address that shows it to whoever knows it; `&size=small` beside a line. `image` is the same, under the name it is written by. */
  image: v.nullable(v.string()),
  image_path: v.nullable(v.string()),
  /** Its own, or the source that its medium's rule found one at by its code. */
  image_source: v.nullable(v.picklist(['own', ...outsideSources])),
  /** Changes with every change of the reference itself. */
  version: v.string(),
  keywords: v.array(v.string()),
  tags,
  /** Coded fields: by group, then by the name of a function. */
  authors: v.record(v.picklist(listGroups), v.record(v.string(), v.array(v.string()))),
  reference_data: v.record(v.picklist(referenceDataNames), v.string()),
  copies_count: v.number(),
  available_count: v.number(),
  created_at: instant,
  copies: v.optional(v.array(copy)),
})
export type Reference = v.InferOutput<typeof reference>

const wordsOf = <const Prefix extends string, const Name extends string>(
  prefix: Prefix,
  names: readonly Name[],
) =>
  Object.fromEntries(names.map((name) => [`${prefix}.${name}`, filterBy.words])) as Record<
    `${Prefix}.${Name}`,
    typeof filterBy.words
  >

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
    audience: filterBy.choice(audiences),
    created_at: filterBy.day,
    /** Where they have a copy. */
    site: { type: 'id', operators: ['in', 'eq'] },
    ...wordsOf('tags', tagNames),
    ...wordsOf('reference_data', referenceDataNames),
  },
  /** By the names of a function's values: authors, publishers, lists. */
  numbered: { list_types: filterBy.words },
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

export const catalogueEndpoints = [listCopies, listReferences, getReference]
