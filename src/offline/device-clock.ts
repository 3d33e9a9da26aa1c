import { type DeviceMeta, readMeta, writeMeta } from './device-meta.ts'

/** The server takes actions up to 5 minutes ahead of its clock; a device less wrong than this is taken at its word. */
const trustedMs = 2 * 60_000
/** A slower exchange says too little about the time. */
const longestExchangeMs = 5_000
/** The Date header counts whole seconds. */
const halfSecond = 500

/** Milliseconds the device is ahead of the server, from one exchange (device times in epoch milliseconds); null when it cannot tell. */
export function measureOffset(dateHeader: string | null, sent: number, received: number): number | null {
  const server = Date.parse(dateHeader ?? '')
  if (Number.isNaN(server) || received < sent || received - sent > longestExchangeMs) return null
  return Math.round((sent + received) / 2 - (server + halfSecond))
}

/** The instant by the server's clock: as the device has it, unless it was last measured more than 2 minutes off. */
export const correctedTime = (device: Date, offset: number | null): Date =>
  offset === null || Math.abs(offset) <= trustedMs ? device : new Date(device.getTime() - offset)

type MetaStore = Parameters<typeof readMeta>[0] & Parameters<typeof writeMeta>[0]

/** Keeps a measure, inside the caller's transaction; differences below the header's own precision are not worth a write. */
export async function noteOffset(meta: MetaStore, offset: number | null, at: Date): Promise<void> {
  if (offset === null) return
  const known: DeviceMeta['clock'] | null = await readMeta(meta, 'clock')
  if (known && Math.abs(known.offset - offset) < 2 * halfSecond) return
  await writeMeta(meta, 'clock', { offset, measured_at: at.toISOString() })
}
