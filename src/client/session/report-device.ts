import type { BodyOf } from '../../contract/endpoint.ts'
import { reportDevice } from '../../contract/devices.ts'
import { resourceOf } from '../../contract/changed-resources.ts'
import { deviceId, readMeta } from '../../offline/device-meta.ts'
import { transact } from '../../offline/device-store.ts'
import { readHeld } from '../../offline/held-entries.ts'
import { watchOutbox } from '../../offline/outbox-news.ts'
import { call } from '../api/call.ts'
import { refreshChanged } from '../api/refresh-changed.ts'
import { currentConnection, watchConnection } from '../api/connection.ts'
import { appVersion } from '../ui/version.ts'
import { browserName } from './browser-name.ts'
import { keepStorageOnceUsed, readStorage } from './device-storage.ts'

// What the administrator sees of this device. A report that is lost is followed by another: nothing of it is kept or sent again.

/** A drain's answers are one report, and a busy counter makes one a minute. */
const gatherMs = 3_000
const betweenMs = 60_000
/** While nothing happens and the page is seen. */
const restMs = 10 * 60_000

/** Reports this device to the server while somebody is signed in, and has what it holds kept. Returns how to stop. */
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
      // No network, or a store that cannot be read: the next one says it.
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
  // At start the device may know nothing of the library yet: once more when it has had the time.
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
