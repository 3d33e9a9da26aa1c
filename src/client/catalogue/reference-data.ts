import { queryOptions } from '@tanstack/react-query'

import { getReference, listCopies } from '../../contract/catalogue.ts'
import { keywords } from '../../contract/keywords.ts'
import { type ListQuery, membersOf } from '../../contract/list.ts'
import { locations } from '../../contract/locations.ts'
import { call } from '../api/call.ts'
import { listQuery, oneQuery } from '../api/queries.ts'
import { addressOf } from '../ui/address-of.ts'

export const referenceQuery = (id: number) => oneQuery(getReference, id)

export const addressOfReference = (id: number): string => `/references/view/${id}`

/** Loans of a title, ended ones too. */
export const addressOfHistory = (name: string): string =>
  addressOf('/loanings', { 'referencesearchname|like': name, 'status|in': 'in_progress,finished,cancelled' })

export const toReferences = { to: '/references', label: 'Voir les références' }

const ofReference = (reference: number): Partial<ListQuery> => ({
  limit: 500,
  filters: [{ field: 'reference', operator: 'eq', value: reference }],
  order: [{ field: 'bar_code', direction: 'asc' }],
})

export const copiesOfReferenceQuery = (reference: number) => listQuery(listCopies, ofReference(reference))

/** Those of every site that is open to the person. */
export const copiesEverywhereQuery = (reference: number) =>
  queryOptions({
    queryKey: ['copies', 'everywhere', reference],
    queryFn: ({ signal }) => call(listCopies, { list: ofReference(reference), signal, site: 0 }),
  })

/** Those that may still be given, the picker's 300 at most. */
export const offeredKeywordsQuery = listQuery(keywords.list, {
  limit: 300,
  filters: [{ field: 'enabled', operator: 'eq', value: true }],
})

/** As filters and choices take them. */
export const locationChoicesQuery = queryOptions({
  queryKey: ['locations', 'choices'],
  queryFn: ({ signal }) => call(locations.list, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page).map(({ id, label }) => ({ id, name: label })),
})

/** In the history: the copy that a title is added or opened for, and where the person was. */
export type ForCopy = { copyCode: string; back: string }

export const addressOfNewCopy = (reference: number, copyCode = ''): string =>
  addressOf(addressOfReference(reference), { copy: copyCode })
