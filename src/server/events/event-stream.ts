import type { ChangeEvent } from '../../contract/events.ts'
import { type ChangeCursor, writeChangeCursor } from './change-cursor.ts'

/** A listener that leaves so many chunks unread is let go, and comes back with its cursor. */
const mostWaiting = 64

/** In milliseconds, for a client that lost its stream. */
const retryMs = 2000

const encoder = new TextEncoder()

export const heartbeat = encoder.encode(':\n\n')
export const opening = encoder.encode(`retry: ${retryMs}\n\n`)

export const encodeChange = (event: ChangeEvent, cursor: ChangeCursor): Uint8Array =>
  encoder.encode(`event: change\nid: ${writeChangeCursor(cursor)}\ndata: ${JSON.stringify(event)}\n\n`)

export type EventStream = {
  body: ReadableStream<Uint8Array>
  send(chunk: Uint8Array): void
  end(): void
}

export function openEventStream(onEnd: () => void): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started
    },
    cancel() {
      controller = null
      onEnd()
    },
  })
  const end = () => {
    if (!controller) return
    controller.close()
    controller = null
    onEnd()
  }
  return {
    body,
    send(chunk) {
      if (!controller) return
      controller.enqueue(chunk)
      if ((controller.desiredSize ?? 0) < -mostWaiting) end()
    },
    end,
  }
}

export const streamHeaders: Record<string, string> = {
  'Content-Type': 'text/event-stream',
  // Proxies that compress or gather would hold events back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
  // A stopping server would wait for the idle connection of a stream that ended.
  Connection: 'close',
}
