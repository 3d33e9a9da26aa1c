import { afterEach, describe, expect, it, vi } from 'vitest'

import { gathered } from '../../src/offline/gathered.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('gathered', () => {
  it.each([
    [1, 60],
    [7, 60],
    [8, 64],
    [62, 496],
    [63, 500],
    [1000, 500],
  ])('leaves, after %i ms of work, %i ms for everything else', async (takes, pause) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const work = vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, takes)))
    const ask = gathered(work)
    ask()
    ask()
    await vi.advanceTimersByTimeAsync(takes + pause - 1)
    expect(work).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(work).toHaveBeenCalledTimes(2)
    // Nothing was asked meanwhile: there is nothing to wait for either.
    await vi.advanceTimersByTimeAsync(takes)
    ask()
    expect(work).toHaveBeenCalledTimes(3)
  })

  it('gets over a failure that nobody wants to hear of', async () => {
    const work = vi.fn(() => Promise.resolve()).mockRejectedValueOnce(new Error('store closed'))
    const ask = gathered(work)
    ask()
    await new Promise((resolve) => setTimeout(resolve))
    ask()
    expect(work).toHaveBeenCalledTimes(2)
  })

  it('runs at once, one at a time, and once more for all that was asked meanwhile', async () => {
    const runs: (() => void)[] = []
    const ask = gathered(() => new Promise<void>((resolve) => runs.push(resolve)))
    ask()
    expect(runs).toHaveLength(1)
    for (let again = 0; again < 100; again += 1) ask()
    expect(runs).toHaveLength(1)
    runs[0]?.()
    await expect.poll(() => runs.length).toBe(2)
    runs[1]?.()
    await new Promise((resolve) => setTimeout(resolve))
    ask()
    expect(runs).toHaveLength(3)
  })

  it('tells a failure, and runs again when asked', async () => {
    const failure = new Error('store closed')
    const work = vi.fn(() => Promise.reject(failure))
    const onTrouble = vi.fn()
    const ask = gathered(work, onTrouble)
    ask()
    await new Promise((resolve) => setTimeout(resolve))
    ask()
    expect(work).toHaveBeenCalledTimes(2)
    expect(onTrouble).toHaveBeenCalledWith(failure)
  })
})
