import type { PrecacheController } from 'workbox-precaching'

import type { DrainReport } from '../src/offline/drain.ts'
import { keepImage, keptImage } from '../src/offline/kept-images.ts'
import { offeredAt, offeredField, offerFiles } from '../src/offline/offered-files.ts'

/** Only the server answers these paths; any other page is a screen of the application. */
const serverPath = /^\/(?:api|auth|dns|resetting|health|metrics|guide|licences\.txt)(?:\/|$)/

export const isScreen = (request: { mode: string; method: string; url: string }, origin: string): boolean => {
  const url = new URL(request.url)
  return (
    request.mode === 'navigate' &&
    request.method === 'GET' &&
    url.origin === origin &&
    !serverPath.test(url.pathname)
  )
}

/** A file shared with the installed application (`share_target` of the manifest). */
export const isShared = (request: { mode: string; method: string; url: string }, origin: string): boolean => {
  const url = new URL(request.url)
  return (
    request.mode === 'navigate' &&
    request.method === 'POST' &&
    url.origin === origin &&
    url.pathname === offeredAt
  )
}

/** Keeps the files even when nobody is signed in, and opens the screen that asks about them. */
export const answerShared = async (request: Request): Promise<Response> => {
  try {
    const form = await request.formData()
    await offerFiles(form.getAll(offeredField).filter((value) => value instanceof File))
  } catch {
    // The screen reports a store that cannot be written.
  }
  return Response.redirect(new URL(offeredAt, request.url).href, 303)
}

/** With its headers as installed, because its policy and its style nonce go together. */
export const answerWithShell = async (cache: PrecacheController, request: Request): Promise<Response> =>
  (await cache.matchPrecache('/index.html')) ?? fetch(request)

/** Fetches it if the browser has emptied the cache. */
export const answerFromCache = async (cache: PrecacheController, request: Request): Promise<Response> =>
  (await cache.matchPrecache(request.url)) ?? fetch(request)

/** An image that was shown before is shown again without the network. */
export const answerImage = async (
  request: Request,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Response> => {
  const kept = await keptImage(request.url)
  if (kept) return kept
  const response = await fetch(request)
  if (response.status === 200) waitUntil(keepImage(request.url, response.clone()))
  return response
}

export const isToBeSentLater = ({ stopped }: Pick<DrainReport, 'stopped'>): boolean =>
  stopped === 'network' || stopped === 'later'
