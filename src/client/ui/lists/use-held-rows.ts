import { useCallbackRef } from '@mantine/hooks'
import { useMemo, useState } from 'react'

import type { RowKey } from './row-actions.ts'

type HeldRows<Row> = {
  rows: readonly Row[] | undefined
  gone: ReadonlySet<RowKey>
  hasChanged: boolean
  hold: () => void
  release: () => void
}

const none: ReadonlySet<RowKey> = new Set()

/** Rows keep their places after a touch, so that none slides away, until sorted or `view` changes. */
export function useHeldRows<Row>(
  rows: readonly Row[] | undefined,
  rowKey: (row: Row) => RowKey,
  view: string,
): HeldRows<Row> {
  const [held, setHeld] = useState<{ view: string; rows: readonly Row[] } | null>(null)
  const keyOf = useCallbackRef(rowKey)
  if (held !== null && held.view !== view) setHeld(null)
  const kept = held?.view === view ? held.rows : null
  const shown = useMemo(() => {
    if (kept === null || rows === undefined) return { rows, gone: none, hasChanged: false }
    const fresh = new Map(rows.map((row) => [keyOf(row), row]))
    const known = new Set(kept.map(keyOf))
    const gone = new Set([...known].filter((key) => !fresh.has(key)))
    return {
      rows: kept.map((row) => fresh.get(keyOf(row)) ?? row),
      gone,
      hasChanged: gone.size > 0 || rows.some((row) => !known.has(keyOf(row))),
    }
  }, [rows, kept, keyOf])
  const hold = useCallbackRef(() => {
    if (kept === null && rows !== undefined) setHeld({ view, rows })
  })
  return { ...shown, hold, release: () => setHeld(null) }
}
