// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { type Schedule, scheduleSending } from '../../src/offline/schedule.ts'
import type { Hurry } from '../../src/offline/when-due.ts'

let schedule: Schedule | undefined
beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  schedule?.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A schedule of which each run answers when the next is due; `runs` are the hurries that it was asked in. */
function start(
  answer: (nth: number) => number | null | Promise<number | null>,
  onTrouble?: (error: unknown) => void,
) {
  const runs: Hurry[] = []
  let tell = () => undefined as void
  const forget = vi.fn()
  schedule = scheduleSending({
    send: async (hurry) => {
      runs.push(hurry)
      return answer(runs.length)
    },
    watch: (onWork) => {
      tell = onWork
      return forget
    },
    onTrouble,
  })
  return { runs, onWork: () => tell(), forget, schedule }
}
const elapse = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const see = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('scheduleSending', () => {
  it('runs at start, in a hurry, and rests where nothing is left', async () => {
    const { runs } = start(() => null)
    await elapse(24 * 3600_000)
    expect(runs).toEqual([true])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('comes again when it is due, not before, and in no hurry', async () => {
    const { runs } = start((nth) => (nth === 1 ? 5000 : null))
    await elapse(4999)
    expect(runs).toHaveLength(1)
    await elapse(1)
    expect(runs).toEqual([true, false])
  })

  it('comes again at once where that time is past', async () => {
    const { runs } = start((nth) => (nth === 1 ? -5000 : null))
    await elapse(0)
    expect(runs).toHaveLength(2)
  })

  it('sleeps for five minutes at most', async () => {
    const { runs } = start((nth) => (nth === 1 ? 3_600_000 : null))
    await elapse(299_999)
    expect(runs).toHaveLength(1)
    await elapse(1)
    expect(runs).toHaveLength(2)
  })

  it('says what trouble there is, and comes again half a minute later', async () => {
    const failure = new Error('store closed')
    const onTrouble = vi.fn()
    const { runs } = start((nth) => (nth === 1 ? Promise.reject(failure) : null), onTrouble)
    await elapse(29_999)
    expect(onTrouble).toHaveBeenCalledExactlyOnceWith(failure)
    expect(runs).toHaveLength(1)
    await elapse(1)
    expect(runs).toHaveLength(2)
  })

  it('gets over trouble that nobody wants to hear of', async () => {
    const { runs } = start((nth) => (nth === 1 ? Promise.reject(new Error('store closed')) : null))
    await elapse(30_000)
    expect(runs).toHaveLength(2)
  })

  it.each<[string, () => void, Hurry[]]>([
    ['the network is back', () => window.dispatchEvent(new Event('online')), [true, true]],
    ['the page is seen again', () => see('visible'), [true, true]],
    ['the page is hidden', () => see('hidden'), [true]],
  ])('runs, or not, when %s', async (_, happen, expected) => {
    const { runs } = start(() => null)
    await elapse(0)
    happen()
    await elapse(0)
    expect(runs).toEqual(expected)
  })

  it('runs when told of work, in no hurry, and when a person asks', async () => {
    const { runs, onWork, schedule: own } = start(() => null)
    await elapse(0)
    onWork()
    await elapse(0)
    own.drainNow()
    await elapse(0)
    own.drainNow('all')
    await elapse(0)
    expect(runs).toEqual([true, false, true, 'all'])
  })

  it('waits for no timer of before, once it has run for something else', async () => {
    const { runs, onWork } = start((nth) => (nth === 1 ? 5000 : null))
    await elapse(0)
    onWork()
    await elapse(10_000)
    expect(runs).toEqual([true, false])
  })

  it.each<[string, (of: ReturnType<typeof start>) => void, Hurry]>([
    ['work', ({ onWork }) => onWork(), false],
    ['a person and then work', ({ schedule: own, onWork }) => (own.drainNow(), onWork()), true],
    ['work and then a person', ({ schedule: own, onWork }) => (onWork(), own.drainNow()), true],
    ['all and then work', ({ schedule: own, onWork }) => (own.drainNow('all'), onWork()), 'all'],
    ['all and then a person', ({ schedule: own }) => (own.drainNow('all'), own.drainNow()), 'all'],
    ['a person and then all', ({ schedule: own }) => (own.drainNow(), own.drainNow('all')), 'all'],
  ])('runs once more, in the greatest hurry, for %s while it runs', async (_, ask, hurry) => {
    let end: (value: null) => void = () => undefined
    const started = start((nth) => (nth === 1 ? new Promise<null>((resolve) => (end = resolve)) : null))
    await elapse(0)
    ask(started)
    expect(started.runs).toEqual([true])
    end(null)
    await elapse(0)
    expect(started.runs).toEqual([true, hurry])
  })

  it('does nothing more once it is stopped', async () => {
    const { runs, onWork, forget, schedule: own } = start(() => 5000)
    await elapse(0)
    own.stop()
    onWork()
    own.drainNow('all')
    window.dispatchEvent(new Event('online'))
    see('visible')
    await elapse(10_000)
    expect(runs).toEqual([true])
    expect(forget).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stopped while it runs, neither runs again nor sleeps', async () => {
    let end: (value: number) => void = () => undefined
    const { runs, onWork, schedule: own } = start(() => new Promise<number>((resolve) => (end = resolve)))
    await elapse(0)
    onWork()
    own.stop()
    end(5000)
    await elapse(10_000)
    expect(runs).toEqual([true])
  })

  it('leaves no listener on the page once it is stopped', () => {
    const left = new Set<string>()
    for (const target of [window, document] as const) {
      vi.spyOn(target, 'addEventListener').mockImplementation((type: string) => void left.add(type))
      vi.spyOn(target, 'removeEventListener').mockImplementation((type: string) => void left.delete(type))
    }
    const { schedule: own } = start(() => null)
    expect([...left].sort()).toEqual(['online', 'visibilitychange'])
    own.stop()
    expect([...left]).toEqual([])
  })

  it('does without a document, as in a worker', async () => {
    vi.stubGlobal('document', undefined)
    const { runs, schedule: own } = start(() => null)
    await elapse(0)
    own.stop()
    vi.unstubAllGlobals()
    expect(runs).toEqual([true])
  })
})
