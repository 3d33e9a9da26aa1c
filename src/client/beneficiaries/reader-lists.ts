import { queryOptions } from '@tanstack/react-query'

import { listAgencies } from '../../contract/beneficiaries.ts'
import { listCommunes } from '../../contract/beneficiary-changes.ts'
import { type EligibilityKind, listEligibilityValues } from '../../contract/eligibility.ts'
import { membersOf } from '../../contract/list.ts'
import { call } from '../api/call.ts'

// These lists change once a month, and with each reader who is given a new word.
const settled = { staleTime: 60_000 }

/** The words that readers were given, by name; `beneficiaries` first, so that a change of a reader asks again. */
export const readerValuesQuery = (kind: EligibilityKind) =>
  queryOptions({
    queryKey: ['beneficiaries', 'values', kind],
    queryFn: ({ signal }) =>
      call(listEligibilityValues, { params: { kind }, list: { limit: 500 }, query: {}, signal }),
    select: (page) => membersOf(page),
    ...settled,
  })

export const agenciesQuery = queryOptions({
  queryKey: ['sites', 'agencies'],
  queryFn: ({ signal }) => call(listAgencies, { list: { limit: 500 }, signal }),
  select: (page) => membersOf(page),
  ...settled,
})

export const communesQuery = queryOptions({
  queryKey: ['beneficiaries', 'communes'],
  queryFn: ({ signal }) => call(listCommunes, { signal }),
  select: (page) => membersOf(page),
  ...settled,
})
