import { queryOptions, useQuery } from '@tanstack/react-query'

import { membersOf } from '../../contract/list.ts'
import { referenceFields } from '../../contract/reference-fields.ts'
import { call } from '../api/call.ts'
import { labelOfField } from './reference-words.ts'

const referenceFieldsQuery = queryOptions({
  queryKey: ['reference_fields', 'all'],
  queryFn: ({ signal }) => call(referenceFields.list, { list: { limit: 100 }, signal }),
  select: (page) => new Map(membersOf(page).map((field) => [field.code, field])),
  staleTime: 10 * 60_000,
})

export type FieldWords = {
  /** As the library calls it; of `tags.author` or `reference_data.subhead` the part after the point counts. */
  labelOf: (field: string) => string
  isShown: (field: string) => boolean
}

/** The names that the library gave to the fields of references, and which of them it shows. */
export function useFieldWords(): FieldWords {
  const { data } = useQuery(referenceFieldsQuery)
  const of = (field: string) =>
    /^(tags|reference_data)\./.test(field) ? data?.get(codeOf(field)) : undefined
  return {
    labelOf: (field) => of(field)?.traduction || labelOfField(field),
    isShown: (field) => of(field)?.disabled !== true,
  }
}

const codeOf = (field: string): string => field.slice(field.indexOf('.') + 1)
