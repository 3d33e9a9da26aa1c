import { describe, expect, it } from 'vitest'

import { isDue, type Hurry, waitAfter } from '../../src/offline/when-due.ts'

const now = Date.parse('2026-03-10T09:00:00Z')
const fiveMinutes = 300_000
const hour = 3_600_000

describe('isDue', () => {
  it.each<[string, number, boolean]>([
    ['a moment ago', -1, true],
    ['now', 0, true],
    ['in a moment', 1, false],
    ['in five minutes, the longest that we wait by ourselves', fiveMinutes, false],
    ['later than that, by a clock that was put back since', fiveMinutes + 1, true],
  ])('knows what is due %s', (_, ahead, due) => {
    expect(isDue({ next_try: now + ahead, last_status: 503 }, now)).toBe(due)
  })

  it.each<[number, boolean]>([
    [1, false],
    [fiveMinutes + 1, false],
    [hour, false],
    [hour + 1, true],
  ])('waits up to an hour where the server asked for it (%i ms ahead)', (ahead, due) => {
    expect(isDue({ next_try: now + ahead, last_status: 503, is_told_to_wait: true }, now)).toBe(due)
  })

  it.each<[Hurry | undefined, { last_status: number | null; is_told_to_wait?: boolean }, boolean]>([
    [undefined, { last_status: null }, false],
    [false, { last_status: null }, false],
    [true, { last_status: null }, true],
    [true, { last_status: 500 }, false],
    ['all', { last_status: null }, true],
    ['all', { last_status: 500 }, true],
    ['all', { last_status: 500, is_told_to_wait: false }, true],
    ['all', { last_status: 503, is_told_to_wait: true }, false],
  ])('in a hurry of %s sends after %o before its time: %s', (hurry, wait, due) => {
    expect(isDue({ next_try: now + 1000, ...wait }, now, hurry)).toBe(due)
  })
})

describe('waitAfter', () => {
  const again = (status: number | null, retry_at: number | null) =>
    waitAfter({ kind: 'again', status, retry_at }, 3, now, () => 1)

  it('backs off by itself where the server asked for nothing', () => {
    expect(again(500, null)).toEqual({ next_try: now + 8000, last_status: 500, is_told_to_wait: false })
    expect(again(null, null)).toMatchObject({ last_status: null })
  })

  it('waits until the server says, and never for less than a moment', () => {
    expect(again(429, now + 90_000)).toEqual({
      next_try: now + 90_000,
      last_status: 429,
      is_told_to_wait: true,
    })
    expect(again(429, now)).toMatchObject({ next_try: now + 1, is_told_to_wait: true })
  })
})
