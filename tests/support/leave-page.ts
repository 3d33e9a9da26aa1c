import 'fake-indexeddb/auto'

import { notifications } from '@mantine/notifications'
import { cleanup } from '@testing-library/react'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'

import { noteAnswer } from '../../src/client/api/connection.ts'
import { mirrorSession, mirrorSettled } from '../../src/client/api/mirror-session.ts'
import { queryClient } from '../../src/client/api/query-client.ts'
import { leaveSession } from '../../src/client/api/session.ts'
import { refreshAnew } from '../../src/client/outbox/counter-work.ts'
import { sayWith } from '../../src/client/page/say-with.ts'
import { printOut } from '../../src/client/ui/printing.ts'
import { closeStore } from '../../src/offline/device-store.ts'
import { forgetNetwork, leaveNetwork, noNetwork, putOnNetwork } from './page-network.ts'

let stopMirror: (() => void) | undefined

/** Keeps the session where the worker finds it, until the page is left. */
export function followSession(): void {
  stopFollowing()
  stopMirror = mirrorSession()
}

/** The page hears no more of its session, as when it is closed. */
export function stopFollowing(): void {
  stopMirror?.()
  stopMirror = undefined
}

/** Leaves nothing of one test to the next, which has the same modules, but what the server holds. */
export async function leavePage(): Promise<void> {
  cleanup()
  await leaveNetwork()
  // The next page would wait for this one's refresh of what the device knows.
  await refreshAnew()
  notifications.clean()
  notifications.cleanQueue()
  // Ends what watches the connection, and lets nobody look whether it is back.
  noteAnswer()
  leaveSession()
  await mirrorSettled()
  stopFollowing()
  await closeStore()
  globalThis.indexedDB = new IDBFactory()
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  // Preferences and lock are read again.
  dispatchEvent(new StorageEvent('storage', { key: null }))
  sayWith([])
  printOut(null)
  // Keys that a scanner pressed and no test released.
  for (const key of [' ', 'Enter', 'Tab', 'Escape']) dispatchEvent(new KeyboardEvent('keyup', { key }))
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  forgetNetwork()
  putOnNetwork(noNetwork)
}
