import { describe, expect, it } from 'vitest'

import { clockDoubt, correctedTime, measureOffset, noteOffset } from '../../src/offline/device-clock.ts'
import { transact } from '../../src/offline/device-store.ts'
import { freshDevice, metaOf } from './device.ts'

const nine = 'Tue, 10 Mar 2026 09:00:00 GMT'
const at = Date.parse('2026-03-10T09:00:00Z')
const day = 24 * 3600_000

describe('measureOffset', () => {
  it.each<[string, number, number, number | null]>([
    ['a device on time', at + 400, at + 600, 0],
    ['a device a minute ahead', at + 60_000, at + 61_000, 60_000],
    ['a device a minute behind', at - 60_000, at - 60_000, -60_500],
    ['an exchange of five seconds', at, at + 5000, 2000],
    ['an exchange of more', at, at + 5001, null],
    ['an exchange of no time', at + 500, at + 500, 0],
    ['a clock put back meanwhile', at + 1, at, null],
    ['half a millisecond, rounded', at + 500, at + 501, 1],
  ])('tells of %s', (_, sent, received, offset) => {
    expect(measureOffset(nine, sent, received)).toBe(offset)
  })

  it.each([null, '', 'hier'])('tells nothing by the date %o', (date) => {
    expect(measureOffset(date, at, at)).toBeNull()
  })
})

describe('correctedTime', () => {
  it.each<[number | null, string]>([
    [null, '2026-03-10T09:00:00.000Z'],
    [120_000, '2026-03-10T09:00:00.000Z'],
    [-120_000, '2026-03-10T09:00:00.000Z'],
    [120_001, '2026-03-10T08:57:59.999Z'],
    [-120_001, '2026-03-10T09:02:00.001Z'],
  ])('of a clock %s ms ahead is %s', (offset, corrected) => {
    expect(correctedTime(new Date(at), offset).toISOString()).toBe(corrected)
  })
})

describe('noteOffset', () => {
  freshDevice()
  const note = (offset: number | null, when = at) =>
    transact(['meta'], 'readwrite', (tx) => noteOffset(tx.store, offset, new Date(when)))

  it('writes the first measure, and then only what differs by a second', async () => {
    await note(null)
    expect(await metaOf('clock')).toBeNull()
    await note(300)
    expect(await metaOf('clock')).toEqual({ offset: 300, measured_at: '2026-03-10T09:00:00.000Z' })
    await note(1299, at + 1000)
    await note(-699, at + 1000)
    expect(await metaOf('clock')).toMatchObject({ offset: 300 })
    await note(1300, at + 1000)
    expect(await metaOf('clock')).toEqual({ offset: 1300, measured_at: '2026-03-10T09:00:01.000Z' })
    await note(300, at + 2000)
    expect(await metaOf('clock')).toMatchObject({ offset: 300 })
  })
})

describe('clockDoubt', () => {
  const entry = {
    endpoint: 'loanings.lend',
    attempts: 0,
    occurred_at: '2026-03-10T09:00:00.000Z',
    clock_offset: null,
  } as const
  const reasonOf = (clock_offset: number | null, offset: number | null) =>
    clockDoubt({ ...entry, clock_offset }, offset)?.reason ?? null

  it.each<[string, number | null, number | null, boolean]>([
    ['never measured', null, null, false],
    ['a day off since', null, day, false],
    ['more than a day off since', null, day + 1, true],
    ['more than a day behind since', null, -day - 1, true],
    ['known to be a day off when it was recorded', day, null, false],
    ['known to be more than a day off', day + 1, null, true],
    ['known to be more than a day behind', -day - 1, null, true],
    ['known to be wrong, and set right since', day + 1, 0, true],
    ['moved by a day since', 1000, day + 1000, false],
    ['moved by more than a day since', 1000, day + 1001, true],
    ['moved back by more than a day since', -1000, -day - 1001, true],
  ])('of a clock %s: %s, %s', (_, before, now, isDoubtful) => {
    expect(reasonOf(before, now)).toBe(isDoubtful ? 'CLOCK_OFF' : null)
  })

  it('shows the device’s time, and what it was by the last measure', () => {
    expect(clockDoubt({ ...entry, clock_offset: 2 * day }, 3 * day)).toMatchObject({
      code: 0,
      facts: { device_at: '2026-03-10T09:00:00.000Z', corrected_at: '2026-03-07T09:00:00.000Z' },
    })
    expect(clockDoubt({ ...entry, clock_offset: 2 * day }, null)?.facts).toEqual({
      device_at: '2026-03-10T09:00:00.000Z',
      corrected_at: '2026-03-08T09:00:00.000Z',
    })
  })

  it('leaves what was sent before, and what settles a conflict', () => {
    expect(clockDoubt({ ...entry, attempts: 1 }, 2 * day)).toBeNull()
    expect(clockDoubt({ ...entry, endpoint: 'conflicts.settle' }, 2 * day)).toBeNull()
  })
})
