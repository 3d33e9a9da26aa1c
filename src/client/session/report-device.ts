import { resourceOf } from '../../contract/changed-resources.ts'
import { reportDevice } from '../../contract/devices.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import { appVersion } from '../../domain/app-version.ts'
import { deviceId, readMeta } from '../../offline/device-meta.ts'
import { transact } from '../../offline/device-store.ts'
import { readHeld } from '../../offline/held-entries.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { call } from '../api/call.ts'
import { currentConnection, watchConnection } from '../api/connection.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { browserName } from './browser-name.ts'
import { keepStorageOnceUsed, readStorage } from './device-storage.ts'

// What the administrator sees of this device. A lost report is not sent again, because another follows.

/** One report for all answers of a drain, and at most one a minute. */
const gatherMs = 3_000
const betweenMs = 60_000
const restMs = 10 * 60_000

/** Also asks the browser to keep the device's data. Returns the function that stops it. */
export function startDeviceReports(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -Infinity
  let isOver = false

  const send = async () => {
    timer = undefined
    if (isOver || currentConnection() === 'offline') return
    last = Date.now()
    try {
      const [device_id, body] = await Promise.all([deviceId(), reportOf()])
      if (isOver) return
      await call(reportDevice, { params: { device_id }, body })
      await refreshChanged(resourceOf(reportDevice))
    } catch {
      // No network or no store: the next report tells.
    }
  }
  const soon = () => {
    if (!isOver) timer ??= setTimeout(() => void send(), Math.max(gatherMs, last + betweenMs - Date.now()))
  }
  const whenDue = () => {
    if (document.visibilityState === 'visible' && Date.now() - last >= restMs) void send()
  }
  const stopWatching = watchOutbox(({ ids }) => {
    if (ids.length > 0) soon()
  })
  const stopKeeping = keepStorageOnceUsed()
  const stopConnection = watchConnection(() => {
    if (currentConnection() === 'online') soon()
  })
  const clock = setInterval(whenDue, restMs)
  document.addEventListener('visibilitychange', whenDue)
  // At the start the device may have no snapshot yet, so it reports once more.
  void send().then(soon)
  return () => {
    isOver = true
    clearTimeout(timer)
    clearInterval(clock)
    stopWatching()
    stopKeeping()
    stopConnection()
    document.removeEventListener('visibilitychange', whenDue)
  }
}

async function reportOf(now = Date.now()): Promise<BodyOf<typeof reportDevice>> {
  const [{ oldest_at, ...held }, snapshot, { usage }] = await Promise.all([
    readHeld(),
    transact(['meta'], 'readonly', (tx) => readMeta(tx.objectStore('meta'), 'snapshot')),
    readStorage(),
  ])
  const ageOf = (instant: string | undefined | null) =>
    instant ? Math.max(0, Math.round((now - Date.parse(instant)) / 1000)) : null
  return {
    app_version: appVersion,
    browser: browserName(navigator.userAgent, navigator.maxTouchPoints),
    ...held,
    oldest_age: ageOf(oldest_at),
    snapshot_age: ageOf(snapshot?.asked_at),
    storage_used: usage,
  }
}
