import * as v from 'valibot'

import { reference, referenceList } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { item } from './wire.ts'

// Apart from how labels are printed, which a list's views need not know.

/** Titles that have copies: at a site, or awaiting their labels. */
export const labelList = {
  ...referenceList,
  filters: { ...referenceList.filters, site: filterBy.id, wanted: filterBy.flag },
} as const satisfies ListShape

const { code, name, category, medium, image_path, tags, created_at } = reference.entries
const labelled = item('LabelledReference', {
  code,
  name,
  category,
  medium,
  image_path,
  tags,
  created_at,
  copies_count: v.number(),
  /** Of these copies, those whose labels are to be printed. */
  wanted_count: v.number(),
})
export type LabelledReference = v.InferOutput<typeof labelled>

export const listLabelled = endpoint({
  name: 'bar_codes.list',
  method: 'GET',
  path: '/api/bar_codes',
  access: 'BARCODE_PRINT',
  summary: 'Les références qui ont des exemplaires, pour en imprimer les étiquettes',
  list: labelList,
  answer: collectionOf(labelled),
})
