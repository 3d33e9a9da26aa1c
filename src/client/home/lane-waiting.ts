import type { LaneLine } from './lane.ts'

// How long a copy waits for a card, and a reader for a copy. Pure: times come in as epoch milliseconds.

/** What the parameters give, in milliseconds. */
export type LaneTimes = { wait: number; idle: number; forget: number }

export const deliveredTimes: LaneTimes = { wait: 60_000, idle: 90_000, forget: 180_000 }

/** The same from the parameters as they are kept, in seconds. */
export const timesOf = (seconds: Record<keyof LaneTimes, number | undefined>): LaneTimes => ({
  wait: milliseconds(seconds.wait, deliveredTimes.wait),
  idle: milliseconds(seconds.idle, deliveredTimes.idle),
  forget: milliseconds(seconds.forget, deliveredTimes.forget),
})

const milliseconds = (seconds: number | undefined, delivered: number): number =>
  seconds === undefined ? delivered : seconds * 1000

/** Whether the reader is still there: greyed while nothing happens, then only to be read. */
export type Presence = 'here' | 'idle' | 'gone'

/** A clock that was put back tells nothing: as long ago as ahead. */
export function presenceAfter(quietMs: number, { idle, forget }: LaneTimes): Presence {
  const quiet = Math.abs(quietMs)
  return quiet >= forget ? 'gone' : quiet >= idle ? 'idle' : 'here'
}

/** Whether a copy waited for longer than a copy waits. */
export const isOver = ({ at }: Pick<LaneLine, 'at'>, now: number, { wait }: LaneTimes): boolean =>
  Math.abs(now - at) > wait

/**
 * What a reader who is chosen now means for a copy that waits: `lend` only where nothing but other copies of the same pile came
 * between the two; times are those of the scans, however late they are worked on.
 */
export function meetReader(
  waiting: LaneLine,
  reader: LaneLine,
  lines: readonly LaneLine[],
  times: LaneTimes,
): 'lend' | 'ask' | 'over' {
  if (isOver(waiting, reader.at, times)) return 'over'
  if (waiting.gestures !== reader.gestures) return 'ask'
  const placeOf = ({ key }: LaneLine) => lines.findIndex((line) => line.key === key)
  return lines.slice(placeOf(waiting) + 1, placeOf(reader)).every(isOfThePile) ? 'lend' : 'ask'
}

/** Another copy, waiting or refused; a code that nobody knows may have been another person's card. */
const isOfThePile = ({ copy, step }: LaneLine): boolean =>
  copy !== null && step.name !== 'kept' && step.name !== 'reader' && step.name !== 'looking'
