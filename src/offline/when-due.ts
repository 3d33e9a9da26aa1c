import { backOff, longestAskedMs, longestBackOffMs, type Meaning } from './answer-meaning.ts'

/** `true`: send what got no answer before its time. `all`: everything, unless the server asked to wait. */
export type Hurry = boolean | 'all'

/** `next_try` is in epoch milliseconds; the server set it (Retry-After) where `is_told_to_wait`. */
export type Wait = { next_try: number; last_status: number | null; is_told_to_wait?: boolean }

export function isDue(
  { next_try, last_status, is_told_to_wait = false }: Wait,
  now: number,
  hurry?: Hurry,
): boolean {
  const wait = next_try - now
  // Further ahead than any wait we set: the clock was put back since.
  if (wait <= 0 || wait > (is_told_to_wait ? longestAskedMs : longestBackOffMs)) return true
  return hurry === 'all' ? !is_told_to_wait : hurry === true && last_status === null
}

/** Until when an answer makes us wait that says to try again. */
export const waitAfter = (
  { status, retry_at }: Extract<Meaning, { kind: 'again' }>,
  attempts: number,
  now: number,
  random: () => number,
) => ({
  next_try: retry_at === null ? now + backOff(attempts, random) : Math.max(retry_at, now + 1),
  last_status: status,
  is_told_to_wait: retry_at !== null,
})
