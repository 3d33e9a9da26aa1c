// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { keepAwake } from '../../src/client/page/keep-awake.ts'
import { tellGesture } from '../../src/client/page/gestures.ts'
import { lit, removeWakeLock, setSeen, stubWakeLock } from './wake-lock.ts'

const minute = 60_000
const settled = () => vi.advanceTimersByTimeAsync(0)

let stop: () => void = () => undefined
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  stop()
  setSeen(true)
  removeWakeLock()
  vi.useRealTimers()
})

describe('the screen at the counter', () => {
  it('stays lit from one gesture to the next, and goes out when it is left', async () => {
    const request = stubWakeLock()
    stop = keepAwake()
    await settled()
    expect(lit()).toBe(1)
    for (const use of [
      () => dispatchEvent(new Event('pointerdown')),
      () => dispatchEvent(new Event('keydown')),
      tellGesture,
    ]) {
      await vi.advanceTimersByTimeAsync(4 * minute)
      use()
      await settled()
      expect(lit()).toBe(1)
    }
    expect(request).toHaveBeenCalledTimes(1)
    stop()
    expect(lit()).toBe(0)
    dispatchEvent(new Event('keydown'))
    await settled()
    expect(lit()).toBe(0)
  })

  it('goes out after five minutes without a gesture, and is lit again by the next', async () => {
    stubWakeLock()
    stop = keepAwake()
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(lit()).toBe(0)
    dispatchEvent(new Event('pointerdown'))
    await settled()
    expect(lit()).toBe(1)
  })

  it('is lit again when the page is seen again, which the system had let go while it was hidden', async () => {
    stubWakeLock()
    stop = keepAwake()
    await settled()
    setSeen(false)
    await settled()
    expect(lit()).toBe(0)
    tellGesture()
    await settled()
    expect(lit()).toBe(0)
    setSeen(true)
    await settled()
    expect(lit()).toBe(1)
  })

  it('is not lit again for a page that nobody used before it was hidden', async () => {
    stubWakeLock()
    stop = keepAwake()
    await vi.advanceTimersByTimeAsync(5 * minute)
    setSeen(false)
    setSeen(true)
    await settled()
    expect(lit()).toBe(0)
  })

  it('gives back what was granted after it was left', async () => {
    stubWakeLock()
    keepAwake()()
    await settled()
    expect(lit()).toBe(0)
  })

  it('works as ever where the system refuses, and asks again at the next gesture', async () => {
    const request = stubWakeLock()
    request.mockRejectedValueOnce(new DOMException('low battery', 'NotAllowedError'))
    stop = keepAwake()
    await settled()
    expect(lit()).toBe(0)
    dispatchEvent(new Event('keydown'))
    await settled()
    expect(lit()).toBe(1)
  })

  it('works as ever where the browser cannot', async () => {
    removeWakeLock()
    stop = keepAwake()
    dispatchEvent(new Event('keydown'))
    await settled()
  })
})
