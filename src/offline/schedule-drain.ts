import { drain, type DrainOptions, type DrainReport, type Hurry } from './drain.ts'
import { watchOutbox } from './outbox-news.ts'

export const drainTag = 'comptoir-drain'

export type ScheduleOptions = DrainOptions & {
  onReport?: (report: DrainReport) => void
  onTrouble?: (error: unknown) => void
}

export type Schedule = {
  /** Without `all`, only what got no answer; see Hurry. */
  drainNow(what?: 'all'): void
  stop(): void
}

const longestSleepMs = 5 * 60_000
const laterMs = 30_000

/** What only a page has: this module also compiles for a worker. */
type PageGlobals = {
  document?: EventTarget & { visibilityState: string }
  addEventListener(type: 'online', listener: () => void): void
  removeEventListener(type: 'online', listener: () => void): void
}

/** Drains at start, when the network or the page comes back, after each record and when an entry is due. */
export function scheduleDrain(options: ScheduleOptions): Schedule {
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
        const report = await drain({ ...options, hurry })
        nextTry = report.next_try
        options.onReport?.(report)
        if (report.stopped === 'network' || report.stopped === 'later') askForSync()
        if (report.stopped === 'elsewhere') nextTry = Date.now() + laterMs
      } catch (error) {
        nextTry = Date.now() + laterMs
        options.onTrouble?.(error)
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
  const forget = watchOutbox(({ to_send }) => {
    if (to_send) ask(false)
  })
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

/** Wakes the service worker once the network is back, even without a page (Chromium only). */
function askForSync(): void {
  type WithSync = { sync?: { register(tag: string): Promise<void> } }
  const { navigator } = globalThis as { navigator?: { serviceWorker?: { ready: Promise<WithSync> } } }
  void navigator?.serviceWorker?.ready
    .then((registration) => registration.sync?.register(drainTag))
    .catch(() => undefined)
}
