import { afterEach, describe, expect, it, vi } from 'vitest'

import { lockIfFree, underLease, waitForLock } from '../../src/offline/device-lock.ts'
import { freshDevice, keepMeta, metaOf } from './device.ts'

freshDevice()
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const now = Date.parse('2026-03-10T09:00:00Z')
const stopTheClock = () => vi.useFakeTimers({ now, toFake: ['Date'] })

describe('underLease', () => {
  it('holds a minute’s lease while it works, and gives it back, also after a failure', async () => {
    stopTheClock()
    const during = await underLease('x', () => metaOf('lease_x'))
    expect(during).toMatchObject({ until: now + 60_000 })
    expect(await metaOf('lease_x')).toBeNull()
    await expect(underLease('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await metaOf('lease_x')).toBeNull()
  })

  it.each([
    ['runs', 'in a moment', 1, null],
    ['ends', 'now', 0, 'work'],
  ])('gives way to a lease that %s out %s', async (_, _when, ahead, answer) => {
    stopTheClock()
    await keepMeta('lease_x', { holder: 'autre', until: now + ahead })
    expect(await underLease('x', () => Promise.resolve('work'))).toBe(answer)
    expect((await metaOf('lease_x'))?.holder).toBe(answer === null ? 'autre' : undefined)
  })

  it('renews its lease when told to, though it had run out', async () => {
    stopTheClock()
    await underLease('x', async (keep) => {
      const first = await metaOf('lease_x')
      vi.setSystemTime(now + 30_000)
      await keep()
      expect(await metaOf('lease_x')).toEqual({ holder: first?.holder, until: now + 90_000 })
      vi.setSystemTime(now + 200_000)
      await keep()
      expect(await metaOf('lease_x')).toEqual({ holder: first?.holder, until: now + 260_000 })
    })
  })

  it('neither takes nor gives back the lease of whoever followed it', async () => {
    stopTheClock()
    const theirs = { holder: 'autre', until: now + 120_000 }
    await underLease('x', async (keep) => {
      await keepMeta('lease_x', theirs)
      await keep()
    })
    expect(await metaOf('lease_x')).toEqual(theirs)
  })

  it('knows leases apart by their names', async () => {
    expect(await underLease('x', () => underLease('y', () => Promise.resolve('both')))).toBe('both')
  })
})

describe('a Web Lock', () => {
  /** A browser whose lock is free, or not. */
  const lockThatIs = (isFree: boolean) => {
    const request = vi.fn((name: string, _: LockOptions, work: (lock: Lock | null) => unknown) =>
      Promise.resolve(work(isFree ? ({ name } as Lock) : null)),
    )
    vi.stubGlobal('navigator', { locks: { request } })
    return request
  }
  const work = async (keep: () => Promise<void>) => {
    await keep()
    return 'work'
  }

  it('is waited for, or asked for if it is free, and takes no lease', async () => {
    const request = lockThatIs(true)
    expect([await waitForLock('x', work), await lockIfFree('x', work)]).toEqual(['work', 'work'])
    expect(request.mock.calls.map(([name, options]) => [name, options])).toEqual([
      ['x', { ifAvailable: false }],
      ['x', { ifAvailable: true }],
    ])
    expect(await waitForLock('x', () => metaOf('lease_x'))).toBeNull()
  })

  it('that is another’s leaves the work to it', async () => {
    lockThatIs(false)
    expect(await lockIfFree('x', work)).toBeNull()
  })

  it.each([
    ['a navigator', undefined],
    ['locks', {}],
  ])('is a lease where there is no such thing as %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator)
    expect(await waitForLock('x', () => metaOf('lease_x'))).not.toBeNull()
    expect(await underLease('x', () => lockIfFree('x', work))).toBeNull()
  })
})
