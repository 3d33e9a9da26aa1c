import type { PrecacheController } from 'workbox-precaching'

import type { DrainReport } from '../src/offline/drain.ts'
import { keepImage, keptImage } from '../src/offline/kept-images.ts'
import { keptAnswer } from '../src/offline/kept-answer.ts'
import { offeredAt, offeredField, offerFiles } from '../src/offline/offered-files.ts'
import { takeUp } from '../src/offline/take-up.ts'

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

/** What a page sends by itself, such as one of an older version: kept in the outbox where the network fails it. */
export const sendOrKeep = async (request: Request, onKept: () => void): Promise<Response> => {
  const spare = request.clone()
  try {
    return await fetch(request)
  } catch (error) {
    // A page that gave up has told its person so: nothing may be done later all the same.
    if (request.signal.aborted || !(await takeUp(spare, await spare.text()))) throw error
    onKept()
    return keptAnswer()
  }
}

export const isToBeSentLater = ({ stopped }: Pick<DrainReport, 'stopped'>): boolean =>
  stopped === 'network' || stopped === 'later'
