import { useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'
import { StoreOutdatedError } from '../../offline/device-store.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import type { Schedule } from '../../offline/schedule.ts'
import { scheduleDrain } from '../../offline/schedule-drain.ts'
import { type SnapshotProgress, type SnapshotState, snapshotState } from '../../offline/snapshot-state.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { currentConnection, watchConnection } from '../api/connection.ts'
import { deviceFetch } from '../api/device-fetch.ts'
import { say } from '../page/messages.ts'
import { knowShapes } from '../scanner/known-shapes.ts'

/** While the page is visible. */
const refreshMs = 60_000
/** A burst of answers is one refresh: of the screens first, then of the snapshot. */
const gatherShownMs = 250
const gatherMs = 1500

const unreadSentence =
  'Rien ne part pour l’instant\u202f: les actions en attente n’ont pas pu être lues sur cet appareil. Un nouvel essai suit.'

let schedule: Schedule | null = null
let site: number | null = null
/** Undefined until the device has said it, null where it cannot. */
let known: SnapshotState | null | undefined
let refreshing: Promise<void> | null = null
const { tell, watch } = emitter()

async function readState(): Promise<void> {
  known = await snapshotState().catch(() => null)
  await knowShapes(known?.shapes ?? [])
  tell()
}

export const drainNow = (): void => schedule?.drainNow()

/** Sends all but what the server asked to wait for (« Tout envoyer maintenant »). */
export const sendAllNow = (): void => schedule?.drainNow('all')

/** Resolves even when that fails. */
export function refreshNow(): Promise<void> {
  if (site === null) return Promise.resolve()
  const wanted = site
  refreshing ??= (async () => {
    try {
      const { refreshSnapshot } = await import('../../offline/snapshot.ts')
      await refreshSnapshot({ fetch: deviceFetch, site: wanted, onProgress: () => void readState() })
    } catch {
      // The store cannot be written: the snapshot stays, and its age says so.
    }
    refreshing = null
    await readState()
    if (site !== null && site !== wanted) await refreshNow()
  })()
  return refreshing
}

/** A refresh under way may have begun before the change. */
export async function refreshAnew(): Promise<void> {
  await refreshing
  await refreshNow()
}

/** Loaded later, because the first screen does not need other devices' changes. */
function followWhenLoaded(alsoRefresh: () => Promise<void>): () => void {
  let stop: (() => void) | undefined
  let isOver = false
  void import('../api/live-changes.ts').then(
    ({ followChanges }) => {
      if (!isOver) stop = followChanges(() => void alsoRefresh())
    },
    () => undefined,
  )
  return () => {
    isOver = true
    stop?.()
  }
}

/** For one site (0: all); `knows` is false for who may neither lend nor return. Returns how to stop. */
export function startCounterWork(atSite: number, knows: boolean): () => void {
  let isInTrouble = false
  const running = scheduleDrain({
    fetch: deviceFetch,
    isOffline: () => currentConnection() === 'offline',
    onReport: () => {
      isInTrouble = false
    },
    // Said once, though tried every half minute. An outdated page is told elsewhere.
    onTrouble: (error) => {
      if (!isInTrouble && !(error instanceof StoreOutdatedError)) say(unreadSentence, 'bad')
      isInTrouble = true
    },
  })
  schedule = running
  site = knows ? atSite : null
  const refreshIfSeen = () => {
    if (document.visibilityState === 'visible' && currentConnection() === 'online') void refreshNow()
  }
  let soon: ReturnType<typeof setTimeout> | undefined
  const refreshSoon = (ms: number) => {
    clearTimeout(soon)
    soon = setTimeout(() => {
      soon = undefined
      refreshIfSeen()
    }, ms)
  }
  let shownSoon: ReturnType<typeof setTimeout> | undefined
  const stopWatching = watchOutbox(({ ids, to_send }) => {
    // A sign-in or a change of site comes without ids, once the store knows who asks.
    if (to_send && ids.length > 0) return
    refreshSoon(ids.length === 0 ? 0 : gatherMs)
    if (to_send) return
    clearTimeout(shownSoon)
    shownSoon = setTimeout(() => void refreshChanged('loanings'), gatherShownMs)
  })
  const stopFollowing = followWhenLoaded(async () => {
    await refreshing
    if (soon === undefined && running === schedule) refreshSoon(0)
  })
  const stopConnection = watchConnection(() => {
    // Once the bar says « En ligne », nothing unanswered may stay behind.
    if (currentConnection() === 'online') running.drainNow()
    refreshIfSeen()
  })
  const timer = setInterval(refreshIfSeen, refreshMs)
  document.addEventListener('visibilitychange', refreshIfSeen)
  void readState()
  refreshIfSeen()
  return () => {
    running.stop()
    if (schedule === running) schedule = null
    site = null
    clearTimeout(soon)
    clearTimeout(shownSoon)
    clearInterval(timer)
    stopWatching()
    stopFollowing()
    stopConnection()
    document.removeEventListener('visibilitychange', refreshIfSeen)
  }
}

/** How much of what the device needs to work off line it has; null where it has all, or needs nothing; undefined until it has said. */
export function usePreparation(): SnapshotProgress | null | undefined {
  const state = useSnapshotState()
  if (!state) return state
  if (state.complete || site === null) return null
  return state.loading ?? { rows: 0, total: 0 }
}

export const shareOf = ({ rows, total }: SnapshotProgress): string =>
  total > 0 ? `${Math.min(100, Math.round((100 * rows) / total))}\u00a0%` : '0\u00a0%'

export const useSnapshotState = (): SnapshotState | null | undefined =>
  useSyncExternalStore(watch, () => known)
