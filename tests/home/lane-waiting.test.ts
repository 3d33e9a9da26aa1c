// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { ScannedCopy } from '../../src/client/find/found.ts'
import type { LaneReader, Step } from '../../src/client/home/lane.ts'
import {
  addLine,
  changeLine,
  clearLane,
  closeReader,
  findLine,
  laneState,
  noteGesture,
  noteTouch,
  propose,
  setChosen,
  setStep,
  settleTime,
} from '../../src/client/home/lane-store.ts'
import { deliveredTimes, meetReader, presenceAfter, timesOf } from '../../src/client/home/lane-waiting.ts'

const start = new Date('2026-03-10T15:00:00Z').getTime()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => {
  clearLane()
  vi.useRealTimers()
})
const after = (seconds: number) => vi.setSystemTime(start + seconds * 1000)

const reader = (id: number): LaneReader => ({
  reader: {
    id,
    label: `M${id}`,
    matricule: `M${id}`,
    lastname: 'Lecteur',
    firstname: String(id),
    reader_id: null,
    is_active: true,
    relatives: [],
  },
  relative: null,
})
const copy = (bar_code: string): ScannedCopy => ({ bar_code, title: bar_code, known: null, loan: null })

/** A scan of the lane that has come to this step; answers its line. */
const line = (code: string, step: Step, isCopy = true) => {
  const { key } = addLine(code, 'scanner') ?? { key: '' }
  changeLine(key, { step, copy: isCopy ? copy(code) : null })
  return findLine(key)!
}
const waiting: Step = { name: 'asks-reader', to: null, is_over: false }
const refused: Step = { name: 'said', signal: 'refusal', message: '', ways: [] }
const card = () => line('R1', { name: 'reader', chosen: reader(1) }, false)
const returned = { name: 'kept', act: 'return' } as Step
const met = (one: ReturnType<typeof line>) => meetReader(one, card(), laneState().lines, deliveredTimes)

describe('a copy that waits for a card', () => {
  it('is for the next one, with the copies of its pile', () => {
    const first = line('1', waiting)
    line('2', waiting)
    line('3', refused)
    after(60)
    expect(met(first)).toBe('lend')
  })

  it('is for nobody once its time is over, whatever became of the clock', () => {
    const first = line('1', waiting)
    after(61)
    expect(met(first)).toBe('over')
    after(-3600)
    expect(met(first)).toBe('over')
  })

  it('asks when something was taken back, chosen or not known between', () => {
    for (const step of [returned, { name: 'reader', chosen: reader(2) } as Step]) {
      const first = line('1', waiting)
      line('2', step)
      expect(met(first)).toBe('ask')
    }
    const first = line('1', waiting)
    // It may have been the card of somebody else.
    line('R77', refused, false)
    expect(met(first)).toBe('ask')
  })

  it('asks when a card was closed or a button pressed between', () => {
    const first = line('1', waiting)
    noteGesture()
    expect(met(first)).toBe('ask')
    const second = line('2', waiting)
    closeReader()
    expect(met(second)).toBe('ask')
  })

  it('says by itself that it waits no more', () => {
    const { key } = line('1', waiting)
    after(60)
    settleTime()
    expect(findLine(key)?.step).toEqual(waiting)
    after(61)
    settleTime()
    expect(findLine(key)?.step).toEqual({ ...waiting, is_over: true })
  })
})

describe('a reader left alone', () => {
  it('greys, comes back by any gesture, and goes for good after three minutes', () => {
    setChosen(reader(1))
    after(89)
    settleTime()
    expect(laneState().presence).toBe('here')
    after(90)
    settleTime()
    expect(laneState().presence).toBe('idle')
    noteTouch()
    expect(laneState().presence).toBe('here')
    after(90 + 180)
    noteTouch()
    noteTouch()
    expect(laneState().presence).toBe('gone')
    expect(laneState().chosen).toEqual(reader(1))
    setChosen(reader(1))
    expect(laneState().presence).toBe('here')
  })

  it('is known to be gone by the scan itself, however long the page has slept', () => {
    setChosen(reader(1))
    after(600)
    addLine('1', 'camera')
    expect(laneState().presence).toBe('gone')
  })

  it('never leaves while scans are worked on', () => {
    setChosen(reader(1))
    const { key } = addLine('1', 'scanner')!
    after(600)
    settleTime()
    addLine('2', 'scanner')
    expect(laneState().presence).toBe('here')
    setStep(key, refused)
    expect(laneState().presence).toBe('here')
  })

  it('is not in sight any more when only proposed', () => {
    propose(reader(1))
    expect(addLine('1', 'camera', true)?.before).toMatchObject({ in_sight: true, proposed: reader(1) })
    changeLine(laneState().lines[0]!.key, { step: refused })
    after(600)
    expect(addLine('2', 'camera', true)?.before).toMatchObject({ in_sight: false, proposed: reader(1) })
  })
})

describe('the parameters', () => {
  it('are seconds; what is not known is as delivered', () => {
    expect(timesOf({ wait: 30, idle: undefined, forget: undefined })).toEqual({
      wait: 30_000,
      idle: 90_000,
      forget: 180_000,
    })
  })

  it('forget at once a reader who would grey later', () => {
    const times = { wait: 1, idle: 90_000, forget: 60_000 }
    expect(presenceAfter(59_999, times)).toBe('here')
    expect(presenceAfter(60_000, times)).toBe('gone')
  })
})
