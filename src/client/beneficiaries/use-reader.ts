import { useQuery, useQueryClient } from '@tanstack/react-query'

import { type Beneficiary, listBeneficiaries } from '../../contract/beneficiaries.ts'
import type { Collection } from '../../contract/list.ts'
import { beneficiaryQuery } from './beneficiary-data.ts'

/** A reader; as a list that was just read shows it, until it is read by itself. */
export function useReader(id: number) {
  const client = useQueryClient()
  return useQuery({
    ...beneficiaryQuery(id),
    placeholderData: () =>
      client
        .getQueriesData<Collection<Beneficiary>>({ queryKey: ['beneficiaries', listBeneficiaries.name] })
        .flatMap(([, page]) => page?.['hydra:member'] ?? [])
        .find((reader) => reader.id === id),
  })
}
