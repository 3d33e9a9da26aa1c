import { type DrawnPicture, drawPicture } from '../../files/drawn-picture.ts'
import { takeTurns } from '../../http/take-turns.ts'
import { fetchOutside, OutsideStatusError, RefusedOutsideError } from './fetch-outside.ts'
import type { Source } from './look-up-source.ts'

const largestCover = 4_000_000
/** A scan of a cover; a photograph of a hall would take seconds of everybody's. */
const mostPixels = 12_000_000
/** Covers are sought in a line of their own, so that nobody's own picture waits behind them. */
const seeking = takeTurns({ atOnce: 1 })
const mostWaiting = 20

export class TooManyCoversError extends Error {
  override name = 'TooManyCoversError'
}
/** As a file that somebody sends; what is smaller says that there is no cover. */
const leastSide = 60

/** A source's cover, drawn anew; null where it has none, and throws what cannot be had or kept. */
export async function fetchCover(
  source: Source,
  address: string,
  { sides, deadlineMs }: { sides: readonly number[]; deadlineMs: number },
): Promise<DrawnPicture | null> {
  if (seeking.waiting >= mostWaiting) throw new TooManyCoversError('too many covers are sought')
  return seeking.run(() => fetchNow(source, address, { sides, signal: AbortSignal.timeout(deadlineMs) }))
}

async function fetchNow(
  { host, coverHosts, blankCover }: Source,
  address: string,
  { sides, signal }: { sides: readonly number[]; signal: AbortSignal },
): Promise<DrawnPicture | null> {
  const outside = {
    own: [host],
    others: coverHosts,
    accept: 'image/jpeg, image/png, image/webp',
    mostBytes: largestCover,
    signal,
  }
  const bytes = await fetchOutside(new URL(address), outside).catch((error: unknown) => {
    if (error instanceof OutsideStatusError && [404, 410].includes(error.status)) return null
    throw error
  })
  if (bytes === null || bytes.byteLength === blankCover) return null
  const drawn = await drawPicture(bytes, sides, { least: leastSide, most: mostPixels })
  if (drawn === null) throw new RefusedOutsideError('no picture that can be kept')
  return drawn
}
