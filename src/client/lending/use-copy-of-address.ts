import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'

import { CallError } from '../api/call-error.ts'
import { useConnection } from '../api/connection.ts'
import { findCounterCopyById } from '../catalogue/copy-data.ts'
import type { CounterCopy } from '../catalogue/counter-copy.ts'
import type { ScanSignal } from '../scanner/scan-feedback.ts'
import { sentenceOf } from '../loans/loan-errors.ts'

/** Adds, once, the copy that the address names by id. */
export function useCopyOfAddress(
  id: string | null,
  add: (copy: CounterCopy) => void,
  tell: (signal: ScanSignal, text: string) => void,
): void {
  const client = useQueryClient()
  const connection = useConnection()
  const askedFor = useRef<string | null>(null)
  const settle = useEffectEvent((copy: CounterCopy | null) =>
    copy ? add(copy) : tell('refusal', 'Cet exemplaire n’existe pas.'),
  )
  const fail = useEffectEvent((error: unknown) => {
    // Nobody could tell yet: asked again when the connection changes.
    if (error instanceof CallError && error.isNoNetwork) askedFor.current = null
    tell('refusal', sentenceOf(error))
  })
  useEffect(() => {
    if (id === null || !/^[1-9]\d*$/.test(id) || askedFor.current === id) return
    askedFor.current = id
    findCounterCopyById(client, Number(id)).then(settle, fail)
  }, [id, client, connection])
}
