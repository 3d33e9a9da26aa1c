import { describe, expect, it } from 'vitest'
import { createScanAgreement, goneAfter } from '../../src/client/scanner/scan-agreement.ts'
import type { Read } from '../../src/client/scanner/scan-agreement.ts'

const book: Read = { text: 'BIB-1', symbology: 'code_128' }
const other: Read = { text: 'BIB-2', symbology: 'code_128' }
const label: Read = { text: 'A30000000000015B', symbology: 'codabar' }
const misread: Read = { text: 'A30000000000016B', symbology: 'codabar' }

/** Frames given one every 30 ms, or after a longer wait. */
function watch() {
  let now = 0
  const agree = createScanAgreement(() => now)
  return {
    see: (read: Read | null) => {
      now += 30
      return agree(read)
    },
    wait: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('createScanAgreement', () => {
  it('counts a checked code at its first frame, and once', () => {
    const { see } = watch()
    expect(see(book)).toEqual(book)
    expect(see(book)).toBeNull()
    expect(see(null)).toBeNull()
    expect(see(book)).toBeNull()
  })

  it.each(['code_39', 'codabar', 'itf'] as const)('wants two agreeing frames for %s', (symbology) => {
    const { see } = watch()
    const read = { text: '123456', symbology }
    expect(see(read)).toBeNull()
    expect(see(null)).toBeNull()
    expect(see(read)).toEqual(read)
    expect(see(read)).toBeNull()
  })

  it('never counts a lone misread', () => {
    const { see, wait } = watch()
    expect(see(misread)).toBeNull()
    expect(see(label)).toBeNull()
    expect(see(misread)).toBeNull()
    expect(see(label)).toBeNull()
    expect(see(label)).toEqual(label)
    wait(goneAfter)
    expect(see(misread)).toBeNull()
    wait(goneAfter)
    expect(see(misread)).toBeNull()
  })

  it('counts the same code again once it was gone long enough', () => {
    const { see, wait } = watch()
    see(book)
    wait(goneAfter - 31)
    expect(see(book)).toBeNull()
    wait(goneAfter - 31)
    expect(see(book)).toBeNull()
    wait(goneAfter)
    expect(see(book)).toEqual(book)
  })

  it('counts a new code at once, and two codes in view once each', () => {
    const { see } = watch()
    expect(see(book)).toEqual(book)
    expect(see(other)).toEqual(other)
    expect(see(book)).toBeNull()
    expect(see(other)).toBeNull()
  })
})
