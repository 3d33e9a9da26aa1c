import type { PrecacheController } from 'workbox-precaching'

import type { DrainReport } from '../src/offline/drain.ts'
import { offeredAt, offeredField, offerFiles } from '../src/offline/offered-files.ts'

/** Paths that the server alone answers; every other page is a screen of the application. */
const serverPath = /^\/(?:api|auth|dns|resetting|health|metrics|licences\.txt)(?:\/|$)/

/** A navigation that the shell answers: any screen, whether the network is there or not. */
export const isScreen = (request: { mode: string; method: string; url: string }, origin: string): boolean => {
  const url = new URL(request.url)
  return (
    request.mode === 'navigate' &&
    request.method === 'GET' &&
    url.origin === origin &&
    !serverPath.test(url.pathname)
  )
}

/** A file that is shared with the installed application (`share_target` of the manifest). */
export const isShared = (request: { mode: string; method: string; url: string }, origin: string): boolean => {
  const url = new URL(request.url)
  return (
    request.mode === 'navigate' &&
    request.method === 'POST' &&
    url.origin === origin &&
    url.pathname === offeredAt
  )
}

/** Keeps what is shared, whoever is signed in, and leads to the screen that asks about it. */
export const answerShared = async (request: Request): Promise<Response> => {
  try {
    const form = await request.formData()
    await offerFiles(form.getAll(offeredField).filter((value) => value instanceof File))
  } catch {
    // A store that cannot be written is said by the screen.
  }
  return Response.redirect(new URL(offeredAt, request.url).href, 303)
}

/** The shell as it was installed, headers included: its policy and its style nonce go together. */
export const answerWithShell = async (cache: PrecacheController, request: Request): Promise<Response> =>
  (await cache.matchPrecache('/index.html')) ?? fetch(request)

/** A file of this version. A cache that the browser emptied is no reason to fail. */
export const answerFromCache = async (cache: PrecacheController, request: Request): Promise<Response> =>
  (await cache.matchPrecache(request.url)) ?? fetch(request)

/** Whether something of the queue still has to leave by itself: nobody answered, or it is not due yet. */
export const isToBeSentLater = ({ stopped }: Pick<DrainReport, 'stopped'>): boolean =>
  stopped === 'network' || stopped === 'later'
