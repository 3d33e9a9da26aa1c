import type { ViolationList } from '../../contract/wire.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { type Entry, isUnsettled } from '../../offline/entry.ts'
import { gathered } from '../../offline/gathered.ts'
import { byReplaced, lastTryOf, withLoanReceipt } from '../../offline/next-try.ts'
import { getEntry, listEntries, listUnsettled } from '../../offline/outbox.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { inDeviceOrder } from '../../offline/queue-order.ts'
import { currentSession, watchSession } from '../api/session.ts'

// The outbox as this page knows it: whatever is not settled, and what was settled since the page was opened. Settled entries of
// other days stay in the store: a line that needs one asks for it by its key.

let known = new Map<string, Entry>()
let shown: readonly Entry[] = []
let replaced = new Map<string, Entry>()
const listeners = new Set<() => void>()
const wanted = new Set<string>()
let stopWatching: (() => void) | null = null

/** Reads what changed. */
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
  // An entry that did not change stays the same object: what shows it is not drawn again.
  show(
    new Map([
      ...known,
      ...read.map((entry) => [entry.id, replaceEqualDeep(known.get(entry.id), asNamed(entry))] as const),
    ]),
  )
}

/** The store keeps no name of what is settled: the lines of this page go on saying whom they were about. */
function asNamed(entry: Entry): Entry {
  const label = known.get(entry.id)?.label
  return label && !isUnsettled(entry) ? { ...entry, label } : entry
}

function show(entries: Map<string, Entry>): void {
  known = entries
  shown = [...known.values()].sort(inDeviceOrder)
  replaced = byReplaced(shown)
  for (const listener of listeners) listener()
}

/** An entry just recorded, shown before the store is read again. */
export function noteEntry(entry: Entry): void {
  if (!known.has(entry.id)) show(new Map([...known, [entry.id, entry]]))
}

// Nothing that one person did is in the memory of the next one’s page.
watchSession(() => {
  if (currentSession() === null) show(new Map())
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  stopWatching ??= watchOutbox(({ ids }) => refresh(ids))
  refresh([])
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    stopWatching?.()
    stopWatching = null
  }
}

/** What is not settled on this device, and what was settled while the page is open, in the order of the device. */
export const useEntries = (): readonly Entry[] => useSyncExternalStore(subscribe, () => shown)

/**
 * An entry as it goes from « Enregistré » to its answer, and on to the new try or the choice that does it in its place; null until it is
 * read, or when there is none.
 */
export function useEntry(id: string | null): Entry | null {
  useEffect(() => {
    if (id !== null && !known.has(id)) refresh([id])
  }, [id])
  const entry = useSyncExternalStore(subscribe, () => {
    const first = id === null ? undefined : known.get(id)
    return first ? lastTryOf(first, replaced) : null
  })
  return useMemo(() => entry && withLoanReceipt(entry), [entry])
}

/** The same, read from the store once. */
export async function readEntry(id: string): Promise<Entry | null> {
  const entry = await getEntry(id)
  return entry && withLoanReceipt(lastTryOf(entry, byReplaced(await listEntries())))
}

const patienceMs = 8_000

/**
 * The answer to an action, for a form that waits for it: `done` with its receipt, `refused` with the problem; `waiting` when off line
 * (`isOnline` says so, asked once) or after 8 seconds: the action is kept and its line follows it.
 */
export async function answerOf(
  id: string,
  isOnline: () => boolean,
): Promise<{ kind: 'done' | 'refused' | 'waiting'; entry: Entry | null }> {
  let stop = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const settled = new Promise<Entry | null>((resolve) => {
    const look = () =>
      void getEntry(id).then(
        (entry) => {
          // Sent and queued again: the server did not answer, and waiting any longer is of no use.
          if (entry && (kindOf(entry) !== 'waiting' || (entry.state === 'queued' && entry.attempts > 0)))
            resolve(entry)
        },
        () => resolve(null),
      )
    stop = watchOutbox(look)
    look()
    timer = setTimeout(() => resolve(null), isOnline() ? patienceMs : 0)
  })
  try {
    const entry = (await settled) ?? (await getEntry(id).catch(() => null))
    return { kind: entry ? kindOf(entry) : 'waiting', entry }
  } finally {
    stop()
    clearTimeout(timer)
  }
}

/** How an entry reads on a line: on its way, confirmed by the server, or refused. */
export function kindOf({ state }: Pick<Entry, 'state'>): 'done' | 'refused' | 'waiting' {
  if (state === 'done') return 'done'
  return state === 'conflict' || state === 'quarantined' || state === 'set_aside' ? 'refused' : 'waiting'
}

/** Why the server refused an action: the first violation's sentence where there are several (file 1, section 5). */
export function refusalOf({ problem }: Pick<Entry, 'problem'>): string {
  return violationsOf({ problem })[0]?.message ?? problem?.message ?? ''
}

/** What the server said of single fields of an action. */
export const violationsOf = ({ problem }: Pick<Entry, 'problem'>): ViolationList['violations'] =>
  problem?.facts?.violations ?? []
