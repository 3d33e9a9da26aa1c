import type { Hono } from 'hono'

import type { ChangeEvent } from '../../src/contract/events.ts'

export type Heard = { id: string; event: ChangeEvent }

/** An open stream of changes, read as it comes. */
export type TestStream = {
  /** The next event, once it is there. Throws when the stream ends before. */
  next(): Promise<Heard>
  /** Resolves when the server ends the stream. */
  ended: Promise<void>
  /** Everything received so far, comments too. */
  readonly raw: string
  close(): Promise<void>
}

/** Opens a stream and reads on; `ask` is a server's router or a server at an address. */
export async function openStream(
  ask: (path: string, init: RequestInit) => Response | Promise<Response>,
  token: string | null,
  lastEventId?: string,
): Promise<TestStream> {
  const response = await ask('/api/events', {
    headers: {
      host: 'localhost',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  if (!response.ok || !response.body) throw new Error(`the stream was refused: ${response.status}`)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const heard: Heard[] = []
  let waiting: { resolve(heard: Heard): void; reject(error: Error): void }[] = []
  let raw = ''
  let unread = ''
  let isOver = false

  const read = async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      raw += text
      unread += text
      const blocks = unread.split('\n\n')
      unread = blocks.pop() ?? ''
      for (const block of blocks) {
        const id = /^id: (.*)$/m.exec(block)?.[1]
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (id === undefined || data === undefined) continue
        const one = { id, event: JSON.parse(data) as ChangeEvent }
        const first = waiting.shift()
        if (first) first.resolve(one)
        else heard.push(one)
      }
    }
  }
  const ended = read()
    .catch(() => undefined)
    .then(() => {
      isOver = true
      for (const { reject } of waiting) reject(new Error('the stream ended'))
      waiting = []
    })
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const one = heard.shift()
        if (one) resolve(one)
        else if (isOver) reject(new Error('the stream ended'))
        else waiting.push({ resolve, reject })
      }),
    ended,
    get raw() {
      return raw
    },
    close: () => reader.cancel(),
  }
}

export const streamOf = (app: Hono, token: string | null, lastEventId?: string): Promise<TestStream> =>
  openStream((path, init) => app.request(path, init), token, lastEventId)

/** Reads on until a resource was told, or everything. */
export async function hear(stream: TestStream, resource: string): Promise<Heard> {
  for (;;) {
    const heard = await stream.next()
    if (heard.event.resources === null || heard.event.resources.includes(resource)) return heard
  }
}
