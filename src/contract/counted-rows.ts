import * as v from 'valibot'

import { type MemberOf, collectionOf } from './list.ts'
import { id } from './wire.ts'

// What a figure counts, one by one.

export const rowsAPage = 50

export const pageOfRows = v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,5}$/), v.transform(Number)), '1')

/** A part that a figure is of; empty is what is not known. */
export const partKey = v.pipe(
  v.string(),
  v.maxLength(200, 'ne doit pas dépasser 200 caractères'),
  // A part is named as the library wrote it, but no database holds this sign.
  v.check((text) => !text.includes('\0'), 'contient un caractère de contrôle'),
)

export const countedRows = collectionOf(
  v.object({
    '@type': v.literal('CountedRow'),
    /** What it leads to; null where its reader was forgotten, or may not be named. */
    kind: v.picklist(['copy', 'loan', 'reader']),
    id: v.nullable(id),
    label: v.string(),
    detail: v.string(),
  }),
)
export type CountedRow = MemberOf<v.InferOutput<typeof countedRows>>
