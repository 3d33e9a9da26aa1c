import { type DrawnPicture, drawPicture } from '../../files/drawn-picture.ts'
import { fetchOutside, OutsideStatusError } from './fetch-outside.ts'
import type { Source } from './look-up-source.ts'

const largestCover = 4_000_000
/** As a file that somebody sends; what is smaller says that there is no cover. */
const leastSide = 60

/** A source's cover, drawn anew; null where it has none, and throws what cannot be had or kept. */
export async function fetchCover(
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
  const drawn = await drawPicture(bytes, sides, leastSide)
  if (drawn === null) throw new Error('no picture that can be kept')
  return drawn
}
