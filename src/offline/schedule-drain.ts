import { drain, type DrainOptions, type DrainReport } from './drain.ts'
import { watchOutbox } from './outbox-news.ts'
import { laterMs, type Schedule, scheduleSending } from './schedule.ts'

export const drainTag = 'comptoir-drain'

type ScheduleOptions = DrainOptions & {
  onReport?: (report: DrainReport) => void
  onTrouble?: (error: unknown) => void
}

/** Drains at start, when the network or the page comes back, after each record and when an entry is due. */
export const scheduleDrain = (options: ScheduleOptions): Schedule =>
  scheduleSending({
    send: async (hurry) => {
      const report = await drain({ ...options, hurry })
      options.onReport?.(report)
      if (report.stopped === 'network' || report.stopped === 'later') askForSync()
      return report.stopped === 'elsewhere' ? Date.now() + laterMs : report.next_try
    },
    watch: (onWork) =>
      watchOutbox(({ to_send }) => {
        if (to_send) onWork()
      }),
    onTrouble: options.onTrouble,
  })

/** Wakes the service worker once the network is back, even without a page (Chromium only). */
export function askForSync(): void {
  type WithSync = { sync?: { register(tag: string): Promise<void> } }
  const { navigator } = globalThis as { navigator?: { serviceWorker?: { ready: Promise<WithSync> } } }
  void navigator?.serviceWorker?.ready
    .then((registration) => registration.sync?.register(drainTag))
    .catch(() => undefined)
}
