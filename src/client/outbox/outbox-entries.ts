import type { ViolationList } from '../../contract/wire.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'
import { type Entry, isRefused, isUnsettled } from '../../offline/entry.ts'
import { gathered } from '../../offline/gathered.ts'
import { byReplaced, lastTryOf, withLoanReceipt } from '../../offline/next-try.ts'
import { getEntry, listEntries, listUnsettled } from '../../offline/outbox.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { inDeviceOrder } from '../../offline/queue-order.ts'
import { watchLeaving } from '../api/session.ts'

// What is unsettled, and what was settled since this page was opened.

let known = new Map<string, Entry>()
let shown: readonly Entry[] = []
let replaced = new Map<string, Entry>()
const { tell, watch, isWatched } = emitter()
/** How many lines on the screen follow an action: those keep it. */
const readers = new Map<string, number>()
/** Of those that no line follows, a day's work would make each scan slower than the one before. */
const mostSettled = 300
const wanted = new Set<string>()
let stopWatching: (() => void) | null = null

function refresh(ids: readonly string[]): void {
  for (const id of ids) wanted.add(id)
  readSoon()
}
const readSoon = gathered(readOnce)

async function readOnce() {
  const asked = [...wanted]
  wanted.clear()
  const unsettled = new Map((await listUnsettled()).map((entry) => [entry.id, entry]))
  const before = [...known.values()].filter(isUnsettled).map(({ id }) => id)
  const others = [...new Set([...asked, ...before])].filter((id) => !unsettled.has(id))
  const found = (await Promise.all(others.map(getEntry))).filter((entry) => entry !== null)
  const read = [...unsettled.values(), ...found]
  // An unchanged entry stays the same object, so that its line is not drawn again.
  show(
    new Map([
      ...known,
      ...read.map((entry) => [entry.id, replaceEqualDeep(known.get(entry.id), asNamed(entry))] as const),
    ]),
  )
}

/** The store drops the names of settled entries, but this page's lines keep them. */
function asNamed(entry: Entry): Entry {
  const label = known.get(entry.id)?.label
  return label && !isUnsettled(entry) ? { ...entry, label } : entry
}

function show(entries: Map<string, Entry>): void {
  shown = [...entries.values()].sort(inDeviceOrder)
  const old = new Set(shown.filter(mayBeDropped).slice(0, -mostSettled))
  if (old.size > 0) shown = shown.filter((entry) => !old.has(entry))
  known = new Map(shown.map((entry) => [entry.id, entry]))
  replaced = byReplaced(shown)
  tell()
}

/** Neither followed by a line, nor the new try of one that is. */
const mayBeDropped = (entry: Entry): boolean =>
  !isUnsettled(entry) && !readers.has(entry.id) && (entry.resolves ?? null) === null

export function noteEntry(entry: Entry): void {
  if (!known.has(entry.id)) show(new Map([...known, [entry.id, entry]]))
}

watchLeaving(() => {
  show(new Map())
  // Whoever stays, at another site, has the same actions waiting.
  if (isWatched()) refresh([])
})

export function subscribe(listener: () => void): () => void {
  const stop = watch(listener)
  stopWatching ??= watchOutbox(({ ids }) => refresh(ids))
  refresh([])
  return () => {
    stop()
    if (isWatched()) return
    stopWatching?.()
    stopWatching = null
  }
}

export const knownEntry = (id: string): Entry | undefined => known.get(id)

export const useEntries = (): readonly Entry[] => useSyncExternalStore(subscribe, () => shown)

/** Keeps an action known; answers how to let it go. */
export function follow(id: string): () => void {
  readers.set(id, (readers.get(id) ?? 0) + 1)
  if (!known.has(id)) refresh([id])
  return () => {
    const left = (readers.get(id) ?? 1) - 1
    if (left === 0) readers.delete(id)
    else readers.set(id, left)
  }
}

/** Follows the new try or the choice that replaces an entry; null until read, or without one. */
export function useEntry(id: string | null): Entry | null {
  useEffect(() => (id === null ? undefined : follow(id)), [id])
  const entry = useSyncExternalStore(subscribe, () => {
    const first = id === null ? undefined : known.get(id)
    return first ? lastTryOf(first, replaced) : null
  })
  return useMemo(() => entry && withLoanReceipt(entry), [entry])
}

export async function readEntry(id: string): Promise<Entry | null> {
  const entry = await getEntry(id)
  return entry && withLoanReceipt(lastTryOf(entry, byReplaced(await listEntries())))
}

export function kindOf(entry: Pick<Entry, 'state'>): 'done' | 'refused' | 'waiting' {
  if (entry.state === 'done') return 'done'
  return isRefused(entry) || entry.state === 'set_aside' ? 'refused' : 'waiting'
}

/** The first violation's sentence where there are several. */
export function firstRefusal({ problem }: Pick<Entry, 'problem'>): string {
  return violationsOf({ problem })[0]?.message ?? problem?.message ?? ''
}

export const violationsOf = ({ problem }: Pick<Entry, 'problem'>): ViolationList['violations'] =>
  problem?.facts?.violations ?? []
