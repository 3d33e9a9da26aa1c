import { useSyncExternalStore } from 'react'

import { apiAddress } from '../../contract/api-address.ts'
import { getHealth, hostUnknownStatus } from '../../contract/system.ts'
import { emitter } from '../../domain/emitter.ts'

// `navigator.onLine` only knows of cables and radio, so the calls themselves tell whether the server answers.

export type Connection = 'online' | 'offline'

const firstProbeMs = 2000
const slowestProbeMs = 30_000

let connection: Connection = navigator.onLine ? 'online' : 'offline'
/** Whether anything but the browser has said so. */
let isTold = !navigator.onLine
/** Off line because a server answers that has no library at this address. */
let isHostUnknown = false
let probe: ReturnType<typeof setTimeout> | undefined
let probeMs = firstProbeMs
const { tell, watch } = emitter()
const telling = emitter()

function become(next: Connection, isUnknown = false) {
  if (!isTold) {
    isTold = true
    telling.tell()
  }
  if (next === connection && isUnknown === isHostUnknown) return
  connection = next
  isHostUnknown = isUnknown
  tell()
}

/** An answer of ours, by its status. */
export function noteAnswer(status = 200): void {
  if (status === hostUnknownStatus) return noteNoAnswer(true)
  clearTimeout(probe)
  probe = undefined
  probeMs = firstProbeMs
  become('online')
}

/** Off line until the server's health says otherwise. */
export function noteNoAnswer(isUnknown = false): void {
  become('offline', isUnknown)
  if (probe !== undefined) return
  probe = setTimeout(() => {
    probe = undefined
    probeMs = Math.min(Math.max(probeMs, firstProbeMs / 2) * 2, slowestProbeMs)
    askHealth()
  }, probeMs)
}

function askHealth(): void {
  fetch(apiAddress(getHealth.path), { cache: 'no-store', signal: AbortSignal.timeout(5000) })
    .then(async (response) => {
      if (!isOurs(response)) return noteNoAnswer()
      const { library } = (await response.json()) as { library?: unknown }
      noteAnswer(library === false ? hostUnknownStatus : response.status)
    })
    .catch(() => noteNoAnswer())
}

/** A captive portal also answers, with a page of its own. */
const isOurs = (response: Response) =>
  response.ok && !response.redirected && (response.headers.get('content-type') ?? '').includes('json')

// An answer under way when the network goes tells nothing of it, so the server is asked again.
addEventListener('offline', () => {
  become('offline')
  setTimeout(askHealth, firstProbeMs)
})
addEventListener('online', () => {
  probeMs = 0
  clearTimeout(probe)
  probe = undefined
  noteNoAnswer()
})

export const currentConnection = (): Connection => connection

export const watchConnection = watch

/** Whether the page is off line because its address is no library's any more. */
export const useHostUnknown = (): boolean => useSyncExternalStore(watchConnection, () => isHostUnknown)

/** Whether the server has answered or failed to since the page was opened: nobody knows before whether it does. */
export const useIsConnectionTold = (): boolean => useSyncExternalStore(telling.watch, () => isTold)

export const useConnection = (): Connection => useSyncExternalStore(watchConnection, currentConnection)
