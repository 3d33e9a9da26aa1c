import { useCallbackRef } from '@mantine/hooks'
import { useRef, useState } from 'react'

import type { RowKey } from './row-actions.ts'

export type Selection = {
  tickable: ReadonlySet<RowKey>
  keys: ReadonlySet<RowKey>
  /** `isRange` ticks all between it and the one before. */
  toggle(key: RowKey, isRange: boolean): void
  toggleAll(): void
  clear(): void
}

type WholeSelection = Selection & {
  isWhole: boolean
  everyKey: ReadonlySet<RowKey>
  chooseWhole(keys: readonly RowKey[]): void
  keepPage(): void
}

/** `page` is what the list shows, `filters` what it is filtered by on any page. */
type Views = { page: string; filters: string }

const none: ReadonlySet<RowKey> = new Set()

/** Ticks last until the list shows something else, or with other pages until it is filtered otherwise. */
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
    // The same function from one render to the next, because it would draw all rows again.
    toggle: useCallbackRef((key: RowKey, isRange: boolean) => {
      const range = isRange ? between(tickable, last.current, key) : [key]
      last.current = key
      // Based on the latest ticks, because two quick presses are two.
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
