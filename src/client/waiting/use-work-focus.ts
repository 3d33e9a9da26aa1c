import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

import { type Entry, isRefused } from '../../offline/entry.ts'

/** The refused action after the one that left, else the one before; null when none is left. */
export function nextRefused(
  before: readonly Pick<Entry, 'id'>[],
  now: readonly Pick<Entry, 'id' | 'state'>[],
  held: string,
): string | null {
  const place = before.findIndex(({ id }) => id === held)
  const left = now.map((entry, at) => ({ ...entry, at })).filter(isRefused)
  return (left.find(({ at }) => at >= place) ?? left.at(-1))?.id ?? null
}

type WorkFocus = {
  list: RefObject<HTMLOListElement | null>
  /** Focused when nothing is left to settle. */
  summary: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent) => void
}

/** Moves the focus to the next refused action when its row leaves, not to the top of the page. */
export function useWorkFocus(entries: readonly Entry[] | undefined): WorkFocus {
  const list = useRef<HTMLOListElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const held = useRef<string | null>(null)
  const before = useRef<readonly Entry[]>([])
  useEffect(() => {
    if (!entries) return
    const left = held.current
    const was = before.current
    before.current = entries
    if (left === null || entries.some(({ id }) => id === left)) return
    held.current = null
    // The person has gone elsewhere meanwhile.
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const next = nextRefused(was, entries, left)
    const row = next === null ? null : list.current?.querySelector<HTMLElement>(`[data-entry="${next}"] h2`)
    ;(row ?? summary.current)?.focus()
  }, [entries])
  return {
    list,
    summary,
    onFocus: ({ target }) => {
      held.current = target.closest<HTMLElement>('[data-entry]')?.dataset['entry'] ?? null
    },
  }
}
