import { useSyncExternalStore } from 'react'

import { emitter } from '../../domain/emitter.ts'

/** Only Chromium sends it, when the app may be installed. */
type InstallEvent = Event & {
  prompt(): Promise<unknown>
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>
}

/** `by-hand` is Safari's share menu on iOS; `none` is a browser that cannot install. */
export type Installation = 'installed' | 'ready' | 'by-hand' | 'none'

let offered: InstallEvent | null = null
let wasInstalled = false
const { tell, watch } = emitter()

// The event comes once and early, so it is listened for from loading on.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  offered = event as InstallEvent
  tell()
})
addEventListener('appinstalled', () => {
  offered = null
  wasInstalled = true
  tell()
})

const isStandalone = () =>
  matchMedia('(display-mode: standalone)').matches ||
  (navigator as { standalone?: boolean }).standalone === true

// An iPad calls itself a Mac, which has no touch screen.
const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

function currentInstallation(): Installation {
  if (wasInstalled || isStandalone()) return 'installed'
  if (offered) return 'ready'
  return isIos() ? 'by-hand' : 'none'
}

export const useInstallation = (): Installation => useSyncExternalStore(watch, currentInstallation)

/** Shows the browser's question; an event serves once. */
export async function install(): Promise<void> {
  const event = offered
  if (!event) return
  offered = null
  tell()
  await event.prompt()
}
