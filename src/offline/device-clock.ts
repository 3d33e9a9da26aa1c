import type { Entry, Problem } from './entry.ts'
import { type DeviceMeta, readMeta, writeMeta } from './device-meta.ts'

/** A clock less wrong is left uncorrected: the server accepts actions up to 5 minutes ahead. */
export const trustedMs = 2 * 60_000
/** A slower exchange measures the time too badly. */
const longestExchangeMs = 5_000
const halfSecond = 500

/** How far the device is ahead of the server, in ms; null when the exchange cannot tell. */
export function measureOffset(dateHeader: string | null, sent: number, received: number): number | null {
  const server = Date.parse(dateHeader ?? '')
  if (Number.isNaN(server) || received < sent || received - sent > longestExchangeMs) return null
  return Math.round((sent + received) / 2 - (server + halfSecond))
}

/** Corrects a device time by the measured offset when that exceeds 2 minutes. */
export const correctedTime = (device: Date, offset: number | null): Date =>
  offset === null || Math.abs(offset) <= trustedMs ? device : new Date(device.getTime() - offset)

type MetaStore = Parameters<typeof readMeta>[0] & Parameters<typeof writeMeta>[0]

/** Differences below the header's precision are not written. */
export async function noteOffset(meta: MetaStore, offset: number | null, at: Date): Promise<void> {
  if (offset === null) return
  const known: DeviceMeta['clock'] | null = await readMeta(meta, 'clock')
  if (known && Math.abs(known.offset - offset) < 2 * halfSecond) return
  await writeMeta(meta, 'clock', { offset, measured_at: at.toISOString() })
}

/** Beyond this error only a person can say when an action happened. */
const longestDoubtMs = 24 * 3600_000

/** The problem of an unsent action with a doubtful date (`offset` in ms); settled conflicts keep theirs. */
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
