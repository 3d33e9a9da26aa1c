// @vitest-environment node
import { expect, test } from 'vitest'

import { growingPause } from '../../src/server/db/engine/embedded-engine.ts'

test('what dies again and again is started ever later, up to half a minute, until it has lived a minute', () => {
  const pauseAfter = growingPause()
  const pauses = (lives: number[]) => lives.map((lived) => pauseAfter(lived))
  expect(pauses([0, 0, 20, 59_999])).toEqual([100, 200, 400, 800])
  expect(pauses([0, 0, 0, 0, 0, 0, 0])).toEqual([1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
  expect(pauses([60_000, 0, 0])).toEqual([0, 100, 200])
})
