import { cleanupOutdatedCaches, PrecacheController } from 'workbox-precaching'

import { apiAddress, apiOrigin } from '../src/contract/api-address.ts'
import { lockIfFree } from '../src/offline/device-lock.ts'
import { drain, type DrainOptions } from '../src/offline/drain.ts'
import { isKeptImage } from '../src/offline/kept-images.ts'
import { sendScans } from '../src/offline/send-scans.ts'
import { drainTag } from '../src/offline/schedule-drain.ts'
import { isToBeTakenUp } from '../src/offline/take-up.ts'
import {
  answerFromCache,
  answerImage,
  answerShared,
  answerWithShell,
  isScreen,
  isShared,
  isToBeSentLater,
  sendOrKeep,
} from './strategies.ts'

// Of the API it keeps images alone, within a budget: what is known off line is in the device's store.

declare const self: ServiceWorkerGlobalScope
type BackgroundSync = ExtendableEvent & { tag: string }

const cache = new PrecacheController()
cache.addToCacheList(self.__WB_MANIFEST)
cleanupOutdatedCaches()

self.addEventListener('install', (event) => {
  event.waitUntil(cache.install(event))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(cache.activate(event))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (isScreen(request, self.location.origin)) return event.respondWith(answerWithShell(cache, request))
  if (isShared(request, self.location.origin)) return event.respondWith(answerShared(request))
  if (request.method === 'GET' && isKeptImage(request.url, self.location.origin)) {
    return event.respondWith(answerImage(request, (work) => event.waitUntil(work)))
  }
  if (isToBeTakenUp(request, apiOrigin() ?? self.location.origin)) {
    return event.respondWith(sendOrKeep(request, () => event.waitUntil(askForSync())))
  }
  if (request.method !== 'GET' || cache.getCacheKeyForURL(request.url) === undefined) return
  event.respondWith(answerFromCache(cache, request))
})

// A new version waits for the person's consent, so that an update never loses a half-made basket.
self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})

// An open page drains by itself and holds the lock.
self.addEventListener('sync', (event) => {
  const { tag } = event as BackgroundSync
  if (tag === drainTag) (event as BackgroundSync).waitUntil(drainInBackground())
})

/** Where the browser has it: else an open page, or the next one, sends what was kept. */
const askForSync = async (): Promise<void> => {
  type WithSync = { sync?: { register(tag: string): Promise<void> } }
  await (self.registration as WithSync).sync?.register(drainTag).catch(() => undefined)
}

async function drainInBackground(): Promise<void> {
  const options: DrainOptions = {
    fetch: (path, init) => fetch(apiAddress(path), init),
    lock: lockIfFree,
    hurry: true,
  }
  const reports = [await drain(options), await sendScans(options)]
  // A failed sync makes the browser call again.
  if (reports.some(isToBeSentLater)) throw new Error('something is still to be sent')
}
