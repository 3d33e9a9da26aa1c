import { describe, expect, it } from 'vitest'

import { newUntil } from '../../src/domain/new-durations.ts'

describe('newUntil', () => {
  it.each([
    ['none', '2026-06-01', null],
    ['none', null, null],
    ['same', '2026-06-01', '2026-06-01'],
    ['same', null, null],
    ['1', '2026-06-01', '2026-02-28'],
    ['3', null, '2026-04-30'],
    ['6', null, '2026-07-31'],
    ['12', null, '2027-01-31'],
  ] as const)('of %s on 31 January, after %s, is %s', (duration, before, until) => {
    expect(newUntil(duration, { today: '2026-01-31', before })).toBe(until)
  })
})
