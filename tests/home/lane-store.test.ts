// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest'

import { addLine, clearLane, laneState, setStep } from '../../src/client/home/lane-store.ts'

afterEach(clearLane)

const scan = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => addLine(String(from + n), 'scanner')!.key)

describe('the lane', () => {
  it('keeps every scan that waits for its turn, however many they are', () => {
    scan(120)
    expect(laneState().lines.map(({ code }) => code)).toEqual(
      Array.from({ length: 120 }, (_, n) => String(n)),
    )
  })

  it('drops the oldest of the lines whose work is finished, never one that waits for a person', () => {
    const [asking, ...done] = scan(80)
    setStep(asking!, { name: 'asks-reader', to: null, is_over: false })
    for (const key of done) setStep(key, { name: 'taken-back', was: 'Prêt annulé' })
    scan(3, 100)
    const codes = laneState().lines.map(({ code }) => code)
    expect(codes).toHaveLength(80)
    expect(codes.slice(0, 2)).toEqual(['0', '4'])
    expect(codes.at(-1)).toBe('102')
  })
})
