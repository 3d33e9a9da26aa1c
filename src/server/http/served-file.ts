import { type FileType, fileTypes } from '../../contract/file-types.ts'
import type { Environment } from '../db/environments/environment.ts'

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

/** A file made while it is sent, so that nothing holds it whole. */
export type ServedFile = { name: string; type: FileType; bytes: AsyncIterable<Uint8Array> }

/** Such as `prets-20261122-093015.xlsx`, in the library's time. */
export function fileName(holds: string, type: FileType, at: Date, timeZone: string): string {
  const written = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const [day = '', hour = ''] = written.format(at).split(' ')
  return `${holds}-${day.replaceAll('-', '')}-${hour.replaceAll(':', '')}.${type}`
}

/** Sends a file to be kept; an error breaks it off, so that no part is taken for the whole. */
export function fileResponse(
  { name, type, bytes }: ServedFile,
  { tell }: Pick<Environment, 'tell'>,
): Response {
  const iterator = bytes[Symbol.asyncIterator]()
  let isWanted = true
  // Nothing is made before it is asked for: a HEAD never asks.
  const onlyWhenAsked = { highWaterMark: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          if (!isWanted) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          // A cancelled download is no error.
          if (!isWanted) return
          tell({ level: 'error', message: `${name} broke off: ${String(error)}` })
          controller.error(error)
        }
      },
      async cancel() {
        isWanted = false
        await iterator.return?.()
      },
    },
    onlyWhenAsked,
  )
  return new Response(body, {
    headers: {
      'Content-Type': fileTypes[type].mime,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })
}
