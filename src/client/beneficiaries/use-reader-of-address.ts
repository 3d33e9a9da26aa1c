import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { readerNotLoaded } from '../../domain/sentences/loans.ts'
import { sayError } from '../page/messages.ts'
import { readerQuery } from './beneficiary-data.ts'
import type { ChosenReader } from './reader-picker.tsx'

/** Only once, and with the relative only if it is this reader's. */
export function useReaderOfAddress(
  id: string | null,
  choose: (chosen: ChosenReader) => void,
  relative: string | null = null,
): void {
  const wanted = id !== null && /^[1-9]\d*$/.test(id) ? Number(id) : null
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
