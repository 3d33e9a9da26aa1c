import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { getBeneficiary } from '../../contract/beneficiaries.ts'
import { readerNotLoaded } from '../../domain/sentences/loans.ts'
import { findBeneficiary, libraryToday } from '../../offline/counter.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { sayError } from '../page/messages.ts'
import { type Reader, readerOf } from './beneficiary-data.ts'
import type { ChosenReader } from './reader-picker.tsx'

/** From the device when the server does not answer. */
const readerQuery = (id: number) =>
  queryOptions({
    queryKey: ['beneficiaries', 'reader', id],
    queryFn: ({ signal }) =>
      serverFirst<Reader>(
        () => call(getBeneficiary, { params: { id }, signal }),
        async () => {
          const row = await findBeneficiary(id)
          if (!row) throw new CallError(0, null)
          return readerOf(row, await libraryToday())
        },
      ),
  })

const idIn = (address: string | null): number | null =>
  address !== null && /^[1-9]\d*$/.test(address) ? Number(address) : null

/** Whether the reader of the address is being asked for: meanwhile nobody is to be told to choose one. */
export function useIsReaderComing(id: string | null): boolean {
  const wanted = idIn(id)
  const { isPending } = useQuery({ ...readerQuery(wanted ?? 0), enabled: false })
  return wanted !== null && isPending
}

/** Only once, and with the relative only if it is this reader's. */
export function useReaderOfAddress(
  id: string | null,
  choose: (chosen: ChosenReader) => void,
  relative: string | null = null,
): void {
  const wanted = idIn(id)
  const { data, error } = useQuery({ ...readerQuery(wanted ?? 0), enabled: wanted !== null })
  const chosenFor = useRef<number | null>(null)
  useEffect(() => {
    if (!data || chosenFor.current === data.id) return
    chosenFor.current = data.id
    const own = data.relatives.find((one) => String(one.id) === relative)
    choose({ reader: data, relative: own?.id ?? null })
  }, [data, choose, relative])
  useEffect(() => {
    if (error) sayError(null, readerNotLoaded)
  }, [error])
}
