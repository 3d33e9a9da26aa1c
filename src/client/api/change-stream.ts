import * as v from 'valibot'

import { apiAddress } from '../../contract/api-address.ts'
import { changeEvent, streamEvents } from '../../contract/events.ts'
import { hostUnknownStatus } from '../../contract/system.ts'
import { currentSession } from './session.ts'
import { currentConnection, noteAnswer, noteNoAnswer, watchConnection } from './connection.ts'
import { heedUnauthorized } from './refused-session.ts'

// Read with `fetch`, because an EventSource cannot send the session's token.

/** The server sends something every 25 seconds, so a longer silence means that the stream is dead. */
const silenceMs = 60_000
const firstPauseMs = 1000
const longestPauseMs = 30_000

export type Changed = readonly string[] | null

/** While the page is visible; a broken stream resumes from its cursor. */
export function watchChanges(onChange: (changed: Changed) => void): () => void {
  let stream: AbortController | null = null
  let again: ReturnType<typeof setTimeout> | undefined
  let cursor: string | null = null
  let failures = 0

  const tell = (block: string) => {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) return
    const { resources } = v.parse(changeEvent, JSON.parse(data))
    if (resources?.length !== 0) onChange(resources)
    // Everything up to this event has been announced.
    cursor = /^id: (.*)$/m.exec(block)?.[1] ?? cursor
  }

  const listen = async (token: string, { signal }: AbortController, onBytes: () => void) => {
    const response = await fetch(apiAddress(streamEvents.path), {
      headers: { Authorization: `Bearer ${token}`, ...(cursor === null ? {} : { 'Last-Event-ID': cursor }) },
      cache: 'no-store',
      signal,
    }).catch((error: unknown) => {
      if (!signal.aborted) noteNoAnswer()
      throw error
    })
    if (response.status === 401 && !heedUnauthorized(await response.json().catch(() => null), token)) {
      noteNoAnswer()
    }
    if (response.status === hostUnknownStatus) noteAnswer(response.status)
    if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) return
    noteAnswer()
    const reader = response.body.getReader()
    signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
    const decoder = new TextDecoder()
    for (let text = ''; ;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = blocks.pop() ?? ''
      blocks.forEach(tell)
    }
  }

  const open = async () => {
    const token = currentSession()?.token
    if (stream || token === undefined || document.visibilityState !== 'visible') return
    clearTimeout(again)
    const mine = (stream = new AbortController())
    let silence: ReturnType<typeof setTimeout> | undefined
    const hush = () => {
      clearTimeout(silence)
      silence = setTimeout(() => mine.abort(), silenceMs)
    }
    hush()
    failures += 1
    try {
      await listen(token, mine, () => {
        failures = 0
        hush()
      })
    } catch {
      // Another try follows.
    }
    clearTimeout(silence)
    if (stream !== mine) return
    stream = null
    // At random, so that devices do not all come back at once.
    const pause = Math.min(firstPauseMs * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2)
    again = setTimeout(() => void open(), pause)
  }
  const close = () => {
    const open = stream
    stream = null
    clearTimeout(again)
    open?.abort()
  }

  const whenSeen = () => (document.visibilityState === 'visible' ? void open() : close())
  const stopConnection = watchConnection(() => {
    if (currentConnection() === 'online') void open()
  })
  document.addEventListener('visibilitychange', whenSeen)
  void open()
  return () => {
    stopConnection()
    document.removeEventListener('visibilitychange', whenSeen)
    close()
  }
}
