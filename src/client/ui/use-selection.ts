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

type WholeSelection = Selection & {
  /** Whether rows of other pages are ticked too. */
  isWhole: boolean
  /** What is ticked, on this page and on the others. */
  everyKey: ReadonlySet<RowKey>
  /** Ticks these, most of which other pages hold. */
  chooseWhole(keys: readonly RowKey[]): void
  /** Of all that is ticked, keeps what this page holds. */
  keepPage(): void
}

/** What a list shows (`page`), and what it is filtered by whichever page is shown (`filters`). */
type Views = { page: string; filters: string }

const none: ReadonlySet<RowKey> = new Set()

/** The ticked rows among those that can be, until the list shows something else; those of all pages, until it is filtered otherwise. */
export function useSelection(tickable: readonly RowKey[], views: Views): WholeSelection {
  const [ticked, setTicked] = useState({ of: views.page, isWhole: false, keys: none })
  const last = useRef<RowKey | null>(null)
  const known = new Set(tickable)
  const put = (keys: ReadonlySet<RowKey>, isWhole = false) =>
    setTicked({ of: isWhole ? views.filters : views.page, isWhole, keys })
  const isOfNow = (one: typeof ticked) => one.of === (one.isWhole ? views.filters : views.page)
  const isWhole = ticked.isWhole && isOfNow(ticked)
  const everyKey = isOfNow(ticked) ? ticked.keys : none
  const keys = new Set([...everyKey].filter((key) => known.has(key)))
  return {
    tickable: known,
    keys,
    isWhole,
    everyKey,
    // The same function from one render to the next: rows are drawn again only when they change.
    toggle: useCallbackRef((key: RowKey, isRange: boolean) => {
      const range = isRange ? between(tickable, last.current, key) : [key]
      last.current = key
      // From what is ticked by then: two quick presses are two.
      setTicked((before) => {
        const next = new Set(isOfNow(before) ? before.keys : none)
        const isTicked = !next.has(key)
        for (const one of range) {
          if (isTicked) next.add(one)
          else next.delete(one)
        }
        const staysWhole = before.isWhole && isOfNow(before) && next.size > 0
        return { of: staysWhole ? views.filters : views.page, isWhole: staysWhole, keys: next }
      })
    }),
    toggleAll: () => {
      if (keys.size < tickable.length) return put(new Set([...everyKey, ...known]), isWhole)
      const others = new Set([...everyKey].filter((key) => !known.has(key)))
      put(others, isWhole && others.size > 0)
    },
    clear: () => put(none),
    chooseWhole: (whole) => put(new Set(whole), true),
    keepPage: () => put(keys),
  }
}

function between(keys: readonly RowKey[], from: RowKey | null, to: RowKey): readonly RowKey[] {
  const start = from === null ? -1 : keys.indexOf(from)
  const end = keys.indexOf(to)
  if (start < 0) return [to]
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1)
}
