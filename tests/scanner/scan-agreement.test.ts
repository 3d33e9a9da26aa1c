import { describe, expect, it } from 'vitest'
import { type CodeShape, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'
import { createFrameTurns } from '../../src/client/scanner/frame-modes.ts'
import { createScanAgreement, goneAfter, isWhole } from '../../src/client/scanner/scan-agreement.ts'
import type { Read } from '../../src/client/scanner/scan-agreement.ts'

const book: Read = { text: 'BIB-1', symbology: 'code_128' }
const other: Read = { text: 'BIB-2', symbology: 'code_128' }
const label: Read = { text: 'A30000000000015B', symbology: 'codabar' }
const misread: Read = { text: 'A30000000000016B', symbology: 'codabar' }

function shapesOf(...codes: string[]) {
  const shapes: CodeShape[] = []
  // Twenty agree by more than chance.
  for (const code of codes) for (let n = 0; n < 20; n++) learnCode(shapes, code, 'copy')
  return codeShapesOf(shapes)
}

const unknown = shapesOf()
const library = shapesOf('31555510000017', '31555510000066', '2001234')

/** Frames given one every 30 ms, or after a longer wait. */
function watch(shapes = unknown) {
  let now = 0
  const agree = createScanAgreement(
    () => now,
    () => shapes,
  )
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
    expect([book, book, null, book].map(see)).toEqual(['scan', 'nothing', 'nothing', 'nothing'])
  })

  it.each([
    ['code_39', 'ABC123'],
    ['codabar', 'A123456B'],
    ['itf', '123456'],
    ['ean_13', '9074932437075'],
    ['upc_a', '023942431015'],
  ] as const)('wants two agreeing frames for an unknown %s', (symbology, text) => {
    const { see } = watch(shapesOf('BIB-000123'))
    const read = { text, symbology }
    expect([read, null, read, read].map(see)).toEqual(['candidate', 'nothing', 'scan', 'nothing'])
  })

  it.each([
    ['codabar', 'A31555510000017B'],
    ['itf', '31555510000066'],
    ['code_39', '31555510000066'],
    ['ean_13', '9782070360024'],
    ['ean_13', '9791091146135'],
  ] as const)(
    'counts at its first frame a %s that looks like the library’s, or is an ISBN',
    (symbology, text) => {
      const { see } = watch(library)
      expect(see({ text, symbology })).toBe('scan')
    },
  )

  it('never counts an EAN that was a mistake for a UPC', () => {
    const { see } = watch(library)
    expect(see({ text: '9074932437075', symbology: 'ean_13' })).toBe('candidate')
    expect(see({ text: '023942431015', symbology: 'upc_a' })).toBe('candidate')
    expect(see({ text: '023942431015', symbology: 'upc_a' })).toBe('scan')
  })

  it('never counts an ITF that a glare cut short, however long it is held', () => {
    const { see } = watch(library)
    const short: Read = { text: '5510000017', symbology: 'itf' }
    expect(Array.from({ length: 30 }, () => see(short))).toEqual(Array(30).fill('nothing'))
    expect(see({ text: '31555510000017', symbology: 'itf' })).toBe('scan')
  })

  it('never counts a lone misread', () => {
    const { see, wait } = watch()
    expect([misread, label, misread, label].map(see)).toEqual(Array(4).fill('candidate'))
    expect(see(label)).toBe('scan')
    wait(goneAfter)
    expect(see(misread)).toBe('candidate')
    wait(goneAfter)
    expect(see(misread)).toBe('candidate')
  })

  it('counts the same code again once it was gone long enough', () => {
    const { see, wait } = watch()
    see(book)
    wait(goneAfter - 31)
    expect(see(book)).toBe('nothing')
    wait(goneAfter - 31)
    expect(see(book)).toBe('nothing')
    wait(goneAfter)
    expect(see(book)).toBe('scan')
  })

  it('counts a new code at once, and two codes in view once each', () => {
    const { see } = watch()
    expect([book, other, book, other].map(see)).toEqual(['scan', 'scan', 'nothing', 'nothing'])
  })
})

describe('isWhole', () => {
  it('takes an ITF of six figures or more where the library has no codes of figures', () => {
    const itf = (text: string): Read => ({ text, symbology: 'itf' })
    const shapes = shapesOf('BIB-000123')
    expect(['1234', '123456', '5510000017'].map((text) => isWhole(itf(text), shapes))).toEqual([
      false,
      true,
      true,
    ])
  })
})

describe('createFrameTurns', () => {
  /** Frames until a code is counted that only one mode reads. */
  function framesFor(readBy: string, read: Read): number {
    const { see } = watch()
    const turns = createFrameTurns()
    for (let frame = 1; frame < 20; frame++) {
      const verdict = see(turns.mode === readBy ? read : null)
      if (verdict === 'scan') return frame
      turns.next(verdict === 'candidate')
    }
    return Infinity
  }

  it.each([
    ['crop', 2],
    ['full', 3],
    ['tilted', 4],
    ['sharp', 5],
  ])('has the second frame of a code that %s reads follow the first at once', (mode, frames) => {
    expect(framesFor(mode, label)).toBe(frames)
  })

  it('goes on where each look finds another mistake', () => {
    const turns = createFrameTurns()
    const seen = Array.from({ length: 8 }, () => {
      const { mode } = turns
      turns.next(true)
      return mode
    })
    expect(seen).toEqual(['crop', 'crop', 'full', 'full', 'tilted', 'tilted', 'sharp', 'sharp'])
  })
})
