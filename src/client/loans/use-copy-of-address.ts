import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { type CounterCopy, findCounterCopyById } from '../catalogue/copy-data.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { sentenceOf } from './loan-errors.ts'

/** Adds, once, the copy that the address names by id. */
export function useCopyOfAddress(
  id: string | null,
  add: (copy: CounterCopy) => void,
  tell: (signal: ScanSignal, text: string) => void,
): void {
  const client = useQueryClient()
  const addedFor = useRef<string | null>(null)
  useEffect(() => {
    if (id === null || !/^[1-9]\d*$/.test(id) || addedFor.current === id) return
    addedFor.current = id
    findCounterCopyById(client, Number(id)).then(
      (copy) => (copy ? add(copy) : tell('refusal', 'Cet exemplaire n’existe pas.')),
      (error: unknown) => tell('refusal', sentenceOf(error)),
    )
  }, [id, add, client, tell])
}
