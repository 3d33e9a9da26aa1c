import { useCallbackRef } from '@mantine/hooks'
import { useRef, useState } from 'react'

import type { RowKey } from './row-actions.ts'

export type Selection = {
  /** The rows that something can be done with. */
  tickable: ReadonlySet<RowKey>
  keys: ReadonlySet<RowKey>
  /** Ticks a row or unticks it; `isRange`: and all between it and the one before. */
  toggle(key: RowKey, isRange: boolean): void
  /** All rows of the page, or none. */
  toggleAll(): void
  clear(): void
}

const none: ReadonlySet<RowKey> = new Set()

/** The ticked rows among those that can be, until the list shows something else (`view`). */
export function useSelection(tickable: readonly RowKey[], view: string): Selection {
  const [ticked, setTicked] = useState({ view, keys: none })
  const last = useRef<RowKey | null>(null)
  const known = new Set(tickable)
  const keys = ticked.view === view ? new Set([...ticked.keys].filter((key) => known.has(key))) : none
  const put = (next: ReadonlySet<RowKey>) => setTicked({ view, keys: next })
  return {
    tickable: known,
    keys,
    // The same function from one render to the next: rows are drawn again only when they change.
    toggle: useCallbackRef((key: RowKey, isRange: boolean) => {
      const range = isRange ? between(tickable, last.current, key) : [key]
      last.current = key
      // From what is ticked by then: two quick presses are two.
      setTicked((before) => {
        const next = new Set(before.view === view ? before.keys : none)
        const isTicked = !next.has(key)
        for (const one of range) {
          if (isTicked) next.add(one)
          else next.delete(one)
        }
        return { view, keys: next }
      })
    }),
    toggleAll: () => put(keys.size < tickable.length ? known : none),
    clear: () => put(none),
  }
}

function between(keys: readonly RowKey[], from: RowKey | null, to: RowKey): readonly RowKey[] {
  const start = from === null ? -1 : keys.indexOf(from)
  const end = keys.indexOf(to)
  if (start < 0) return [to]
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1)
}
