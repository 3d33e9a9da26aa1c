/** A picture as it lies on the disk. */
export type ServedPicture = { bytes: Uint8Array<ArrayBuffer>; type: 'image/webp' }

const yearSeconds = 31_536_000

/** What lies at an address that names its version never changes. */
export function pictureResponse({ bytes, type }: ServedPicture, isLasting: boolean): Response {
  return new Response(bytes, {
    headers: {
      'Content-Type': type,
      'Cache-Control': isLasting ? `private, max-age=${yearSeconds}, immutable` : 'private, no-cache',
      // An image opened as a page of its own runs nothing.
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  })
}
