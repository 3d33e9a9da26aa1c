import { useCallbackRef } from '@mantine/hooks'
import { useMemo, useState } from 'react'

import type { RowKey } from './row-actions.ts'

type HeldRows<Row> = {
  rows: readonly Row[] | undefined
  /** Rows that are no longer in the list, and stay where they were. */
  gone: ReadonlySet<RowKey>
  /** Whether the list is another by now. */
  hasChanged: boolean
  /** From now on no row changes its place. */
  hold: () => void
  /** Puts the rows in order again. */
  release: () => void
}

const none: ReadonlySet<RowKey> = new Set()

/**
 * Rows that keep their places once somebody has touched one: nothing slides under the pointer. What changes is shown where it stands, until
 * the list is put in order or shows something else (`view`).
 */
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
