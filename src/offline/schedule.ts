import type { Hurry } from './when-due.ts'

export type Schedule = {
  /** Without `all`, only what got no answer; see Hurry. */
  drainNow(what?: 'all'): void
  stop(): void
}

type Sending = {
  /** Answers the epoch milliseconds before which another run is useless, or null when nothing is left. */
  send: (hurry: Hurry) => Promise<number | null>
  /** Calls when there is something to send; answers how to stop. */
  watch: (onWork: () => void) => () => void
  onTrouble?: ((error: unknown) => void) | undefined
}

const longestSleepMs = 5 * 60_000
export const laterMs = 30_000

/** What only a page has: this module also compiles for a worker. */
type PageGlobals = {
  document?: EventTarget & { visibilityState: string }
  addEventListener(type: 'online', listener: () => void): void
  removeEventListener(type: 'online', listener: () => void): void
}

/** Sends at start, when the network or the page comes back, when told of work and when some is due. */
export function scheduleSending({ send, watch, onTrouble }: Sending): Schedule {
  const page = globalThis as unknown as PageGlobals
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let asked: { hurry: Hurry } | null = null
  let isStopped = false

  const ask = (hurry: Hurry) => {
    if (isStopped) return
    asked = { hurry: asked?.hurry === 'all' ? 'all' : hurry || (asked?.hurry ?? false) }
    if (!isRunning) void run()
  }

  const run = async () => {
    isRunning = true
    clearTimeout(timer)
    let nextTry: number | null = null
    while (asked) {
      const { hurry } = asked
      asked = null
      try {
        nextTry = await send(hurry)
      } catch (error) {
        nextTry = Date.now() + laterMs
        onTrouble?.(error)
      }
    }
    isRunning = false
    if (nextTry !== null && !isStopped) {
      timer = setTimeout(() => ask(false), Math.min(Math.max(nextTry - Date.now(), 0), longestSleepMs))
    }
  }

  const hurry = () => ask(true)
  const whenVisible = () => {
    if (page.document?.visibilityState === 'visible') hurry()
  }
  const forget = watch(() => ask(false))
  page.addEventListener('online', hurry)
  page.document?.addEventListener('visibilitychange', whenVisible)
  hurry()

  return {
    drainNow: (what) => ask(what ?? true),
    stop: () => {
      isStopped = true
      asked = null
      clearTimeout(timer)
      forget()
      page.removeEventListener('online', hurry)
      page.document?.removeEventListener('visibilitychange', whenVisible)
    },
  }
}
