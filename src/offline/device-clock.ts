import type { Entry, Problem } from './entry.ts'
import { type DeviceMeta, readMeta, writeMeta } from './device-meta.ts'

/** The server takes actions up to 5 minutes ahead of its clock; a device less wrong than this is taken at its word. */
export const trustedMs = 2 * 60_000
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

/** Off by more than this, nobody but a person can say when an action happened. */
const longestDoubtMs = 24 * 3600_000

/**
 * Why the date of an action that was never sent is not believed: the clock was off by more than a day when it was made, or has moved by
 * more than a day since. `offset` is the present measure (milliseconds ahead of the server); null is not known. An action that settles
 * a conflict carries the date of what it settles.
 */
export function clockDoubt(
  entry: Pick<Entry, 'endpoint' | 'attempts' | 'occurred_at' | 'clock_offset'>,
  offset: number | null,
): Problem | null {
  if (entry.attempts > 0 || entry.endpoint === 'conflicts.settle') return null
  const before = entry.clock_offset ?? 0
  const moved = offset === null ? 0 : offset - before
  if (Math.max(Math.abs(before), Math.abs(moved)) <= longestDoubtMs) return null
  const corrected = new Date(Date.parse(entry.occurred_at) - (offset ?? before))
  return {
    code: 0,
    reason: 'CLOCK_OFF',
    message: 'L’horloge de cet appareil était fausse de plus d’un jour\u202f: dites quand cela s’est passé.',
    facts: { device_at: entry.occurred_at, corrected_at: corrected.toISOString() },
  }
}
