// @vitest-environment happy-dom
import { assert, constantFrom, integer, property } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { beginSession, leaveSession, rememberUser } from '../../src/client/api/session.ts'
import { lockIfIdle, setIdleMinutes, unlock } from '../../src/client/lock/lock-state.ts'
import { watchIdle, watchScansUnderLock } from '../../src/client/lock/watch-idle.ts'
import { knowShapes } from '../../src/client/scanner/known-shapes.ts'
import { takeNotTaken } from '../../src/client/scanner/scans-not-taken.ts'
import { type CodeShape, learnCode } from '../../src/domain/code-shapes.ts'

let stop: () => void
let clock = 1_000
const onScan = vi.fn<(isKept: boolean) => void>()
let stopHearing: () => void

beforeEach(async () => {
  const shapes: CodeShape[] = []
  for (const code of ['A1', 'A2', 'L12', 'L13', '1001', '1002', 'BIB-01', 'BIB-02'])
    learnCode(shapes, code, 'copy')
  await knowShapes(shapes)
  beginSession('jeton', 1)
  rememberUser({ id: 1, rights: [] } as never)
  setIdleMinutes(1)
  lockIfIdle(Date.now() + 3 * 60_000)
  stop = watchIdle()
  stopHearing = watchScansUnderLock(onScan)
})
afterEach(async () => {
  stopHearing()
  stop()
  takeNotTaken()
  unlock()
  setIdleMinutes(0)
  leaveSession()
  onScan.mockClear()
  await knowShapes([])
})

/** Answers whether the ending went to the field of the lock. */
function type(text: string, gap: number, late: number | null = gap): boolean {
  clock += 5_000
  let passed = true
  for (const key of [...Array.from(text), ...(late === null ? [] : ['Enter'])]) {
    clock += key === 'Enter' ? (late ?? 0) : gap
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: clock })
    passed = document.body.dispatchEvent(event)
  }
  return passed
}
const kept = () => takeNotTaken().map(({ code }) => code)

describe('the lock of a screen', () => {
  it.each(['A3', 'L12', '1001', 'BIB-07', '31555510000066'])(
    'keeps a scan of %s until it is taken up',
    (code) => {
      expect(type(code, 8)).toBe(false)
      expect(onScan.mock.calls).toEqual([[true]])
      expect(kept()).toEqual([code])
    },
  )

  it.each(['2002Z', 'X1Z', '123456'])(
    'only says that it heard a scan of %s, which may be its own code',
    (code) => {
      expect(type(code, 8)).toBe(false)
      expect(onScan.mock.calls).toEqual([[false]])
      expect(kept()).toEqual([])
    },
  )

  it('keeps the scan of a scanner without endings where it is surely a code of the library', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const shapes: CodeShape[] = []
    for (let n = 10; n < 40; n++) learnCode(shapes, `BIB-0000${n}`, 'copy')
    await knowShapes(shapes)
    type('BIB-000077', 8, null)
    vi.advanceTimersByTime(149)
    expect(kept()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(onScan.mock.calls).toEqual([[true]])
    expect(kept()).toEqual(['BIB-000077'])
    type('0612345678', 8, null)
    vi.advanceTimersByTime(5_000)
    expect(kept()).toEqual([])
  })

  it('never keeps the code of the lock that a hand types, however its fingers roll', () => {
    assert(
      property(
        constantFrom('1001', '1002', '2580', 'L12', 'BIB-01', 'azerty'),
        integer({ min: 31, max: 300 }),
        integer({ min: 1, max: 900 }),
        (code, gap, late) => {
          type(code, gap, late)
          return kept().length === 0
        },
      ),
    )
    expect(type('1001', 120)).toBe(true)
  })
})
