import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

import type { Entry } from '../../offline/entry.ts'

export const isRefused = ({ state }: Pick<Entry, 'state'>): boolean =>
  state === 'conflict' || state === 'quarantined'

/**
 * The refused action that comes up once the one that was `held` left the list: what took its place or follows it, else what stands before;
 * null when none is left to settle.
 */
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
  /** What says how many are left; focused when nothing is left to settle. */
  summary: RefObject<HTMLDivElement | null>
  onFocus: (event: FocusEvent) => void
}

/** Keeps the focus where the work goes on when the row that held it leaves the list, rather than at the top of the page. */
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
