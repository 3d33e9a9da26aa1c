import { watchInventory } from '../../offline/inventory-news.ts'
import { askForSync } from '../../offline/schedule-drain.ts'
import { laterMs, scheduleSending } from '../../offline/schedule.ts'
import { sendScans } from '../../offline/send-scans.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { currentConnection, watchConnection } from '../api/connection.ts'
import { deviceFetch } from '../api/device-fetch.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { root } from './inventory-data.ts'

/** Sends what was scanned in inventories, whatever screen is open. Returns how to stop. */
export function startSendingScans(): () => void {
  const running = scheduleSending({
    send: async (hurry) => {
      const report = await sendScans({ fetch: deviceFetch, hurry })
      if (report.stopped === 'network' || report.stopped === 'later') askForSync()
      if (report.done > 0) void refreshChanged(root)
      return report.stopped === 'elsewhere' ? Date.now() + laterMs : report.next_try
    },
    watch: (onWork) => {
      const stops = [
        watchInventory(({ to_send }) => {
          if (to_send) onWork()
        }),
        // A sign-in comes without ids, once the store knows who sends.
        watchOutbox(({ ids, to_send }) => {
          if (to_send && ids.length === 0) onWork()
        }),
      ]
      return () => stops.forEach((stop) => stop())
    },
  })
  const stopConnection = watchConnection(() => {
    if (currentConnection() === 'online') running.drainNow()
  })
  return () => {
    running.stop()
    stopConnection()
  }
}
