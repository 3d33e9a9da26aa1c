import type { LaneLine } from './lane.ts'

// How long copies and readers wait for each other; times are epoch milliseconds.

/** In milliseconds. */
export type LaneTimes = { wait: number; idle: number; forget: number }

export const deliveredTimes: LaneTimes = { wait: 60_000, idle: 90_000, forget: 180_000 }

/** From parameters in seconds. */
export const timesOf = (seconds: Record<keyof LaneTimes, number | undefined>): LaneTimes => ({
  wait: milliseconds(seconds.wait, deliveredTimes.wait),
  idle: milliseconds(seconds.idle, deliveredTimes.idle),
  forget: milliseconds(seconds.forget, deliveredTimes.forget),
})

const milliseconds = (seconds: number | undefined, delivered: number): number =>
  seconds === undefined ? delivered : seconds * 1000

/** `idle` greys the reader, and `gone` only leaves them readable. */
export type Presence = 'here' | 'idle' | 'gone'

/** A clock put back tells nothing, so ahead counts like ago. */
export function presenceAfter(quietMs: number, { idle, forget }: LaneTimes): Presence {
  const quiet = Math.abs(quietMs)
  return quiet >= forget ? 'gone' : quiet >= idle ? 'idle' : 'here'
}

/** Whether a copy has waited too long. */
export const isOver = ({ at }: Pick<LaneLine, 'at'>, now: number, { wait }: LaneTimes): boolean =>
  Math.abs(now - at) > wait

/** What a reader means for a waiting copy: `lend` only if nothing but its pile came between the scans. */
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

/** Another copy; an unknown code may have been another person's card. */
const isOfThePile = ({ copy, step }: LaneLine): boolean =>
  copy !== null && step.name !== 'kept' && step.name !== 'reader' && step.name !== 'looking'
