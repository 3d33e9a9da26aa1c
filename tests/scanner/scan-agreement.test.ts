import { afterEach, describe, expect, it, vi } from 'vitest'
import { cleanScan } from '../../src/domain/bar-code.ts'
import { type CodeShape, type CodeShapes, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'
import { createFrameTurns, readFrames } from '../../src/client/scanner/frame-modes.ts'
import { isKnownHere } from '../../src/client/scanner/known-here.ts'
import { createScanAgreement, goneAfter, isWhole } from '../../src/client/scanner/scan-agreement.ts'
import type { Read, Verdict } from '../../src/client/scanner/scan-agreement.ts'
import { copyRow, freshDevice, loadSnapshot, readerRow } from '../offline/device.ts'

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

afterEach(() => vi.unstubAllGlobals())

const library = shapesOf('31555510000017', '31555510000066', '2001234')
const nothing = shapesOf()

interface Watched {
  shapes?: CodeShapes
  /** Codes that the device knows. */
  known?: readonly string[]
  /** When the device says so. */
  answered?: Promise<unknown>
}

/** Frames given one every 30 ms, or after a longer wait. */
function watch({ shapes = nothing, known = [], answered = Promise.resolve() }: Watched = {}) {
  let now = 0
  const scans: string[] = []
  const agree = createScanAgreement({
    now: () => now,
    shapes: () => shapes,
    isKnown: (read) => answered.then(() => known.includes(cleanScan(read.text, read.symbology))),
    onScan: ({ text }) => scans.push(text),
  })
  return {
    scans,
    see: (read: Read | null) => {
      now += 30
      return agree(read)
    },
    wait: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

/** What was asked of the device is answered. */
const answers = () => new Promise((resolve) => setImmediate(resolve))

describe('createScanAgreement', () => {
  it('counts a checked code at its first frame, and once', () => {
    const { see, scans } = watch()
    expect([book, book, null, book].map(see)).toEqual(['scan', 'nothing', 'nothing', 'nothing'])
    expect(scans).toEqual(['BIB-1'])
  })

  it.each(['code_128', 'qr_code', 'data_matrix'] as const)(
    'counts an unknown %s at its first frame, for it corrects or checks itself',
    (symbology) => {
      const { see, scans } = watch({ shapes: library })
      expect(see({ text: 'INCONNU-1', symbology })).toBe('scan')
      expect(scans).toEqual(['INCONNU-1'])
    },
  )

  it.each([
    ['code_39', 'ABC123'],
    ['codabar', 'A31555510000017B'],
    ['itf', '31555510000017'],
    ['ean_13', '9074932437075'],
    ['ean_13', '2001000012342'],
    ['upc_a', '023942431015'],
  ] as const)(
    'wants two agreeing frames for an unknown %s, %s, whatever it looks like',
    (symbology, text) => {
      const { see, scans } = watch({ shapes: library })
      const read = { text, symbology }
      expect([read, null, read, read].map(see)).toEqual(['candidate', 'nothing', 'scan', 'nothing'])
      expect(scans).toEqual([text])
    },
  )

  it.each(['9782070360024', '9791091146135'])('counts an ISBN at its first frame: %s', (text) => {
    expect(watch().see({ text, symbology: 'ean_13' })).toBe('scan')
  })

  it.each([
    ['code_39', 'ABC123', 'ABC123'],
    ['codabar', 'A31555510000017B', '31555510000017'],
    ['itf', '31555510000017', '31555510000017'],
    ['ean_13', '2001000012342', '2001000012342'],
    ['upc_a', '023942431015', '0023942431015'],
  ] as const)(
    'counts at its first frame a %s that the device knows, and once',
    async (symbology, text, code) => {
      const { see, scans } = watch({ shapes: library, known: [code] })
      const read = { text, symbology }
      see(read)
      await answers()
      expect(scans).toEqual([text])
      expect([read, read].map(see)).toEqual(['nothing', 'nothing'])
      await answers()
      expect(scans).toEqual([text])
    },
  )

  it('does not wait for a device that is slow to answer: the second frame counts, and nothing after it', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { see, scans } = watch({
      known: ['30000000000015'],
      answered: new Promise((resolve) => (answer = resolve)),
    })
    expect([label, label].map(see)).toEqual(['candidate', 'scan'])
    answer(null)
    await answers()
    expect(scans).toEqual([label.text])
  })

  it('counts nothing that has long gone when the device answers', async () => {
    let answer: (value: unknown) => void = () => undefined
    const { see, scans, wait } = watch({
      known: ['30000000000015'],
      answered: new Promise((resolve) => (answer = resolve)),
    })
    see(label)
    wait(goneAfter)
    answer(null)
    await answers()
    expect(scans).toEqual([])
  })

  it('wants two frames where the device cannot answer', async () => {
    const { see, scans } = watch({ answered: Promise.reject(new Error('no store')) })
    expect(see(label)).toBe('candidate')
    await answers()
    expect(scans).toEqual([])
    expect(see(label)).toBe('scan')
  })

  it('never counts an EAN that was a mistake for a UPC', () => {
    const { see } = watch({ shapes: library })
    expect(see({ text: '9074932437075', symbology: 'ean_13' })).toBe('candidate')
    expect(see({ text: '023942431015', symbology: 'upc_a' })).toBe('candidate')
    expect(see({ text: '023942431015', symbology: 'upc_a' })).toBe('scan')
  })

  it('never counts an ITF that a glare cut short, however long it is held', () => {
    const { see } = watch({ shapes: library })
    const short: Read = { text: '5510000017', symbology: 'itf' }
    expect(Array.from({ length: 30 }, () => see(short))).toEqual(Array(30).fill('nothing'))
    const whole: Read = { text: '31555510000017', symbology: 'itf' }
    expect([whole, whole].map(see)).toEqual(['candidate', 'scan'])
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
  it.each([
    ['before anything is known', nothing],
    ['where no code is figures alone', shapesOf('BIB-000123')],
  ])('takes an ITF of fourteen figures or more %s', (_name, shapes) => {
    const texts = ['123456', '5510000017', '551000001700', '31555510000017', '3155551000001700']
    expect(texts.filter((text) => isWhole({ text, symbology: 'itf' }, shapes))).toEqual(texts.slice(3))
  })
})

describe('isKnownHere', () => {
  freshDevice()

  it('knows codes of copies and cards, however the camera gives them', async () => {
    await loadSnapshot({
      copies: [copyRow(1, { bar_code: '31555510000017' }), copyRow(2, { bar_code: '0023942431015' })],
      beneficiaries: [readerRow(1, { reader_id: '21555510000027' })],
    })
    const reads: Read[] = [
      { text: 'A31555510000017B', symbology: 'codabar' },
      { text: '023942431015', symbology: 'upc_a' },
      { text: '21555510000027', symbology: 'itf' },
      { text: '31555510000018', symbology: 'itf' },
    ]
    expect(await Promise.all(reads.map(isKnownHere))).toEqual([true, true, true, false])
  })

  it('knows nothing before the device has the library', async () => {
    expect(await isKnownHere({ text: '31555510000017', symbology: 'itf' })).toBe(false)
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

describe('readFrames', () => {
  /** A camera whose next frame comes when it is asked to show one. */
  function openReader({ readBy, onFrame }: { readBy: string; onFrame?: (read: Read | null) => Verdict }) {
    const { see } = watch()
    const modes: string[] = []
    let next: (() => void) | null = null
    const broken: string[] = []
    let breaks = false
    const stop = readFrames({
      read: (mode) => {
        modes.push(mode)
        return breaks
          ? Promise.reject(new Error('no engine'))
          : Promise.resolve(mode === readBy ? label : null)
      },
      onFrame: onFrame ?? see,
      onBroken: () => broken.push('broken'),
      askNext: (then) => {
        next = then
        return () => (next = null)
      },
    })
    return {
      modes,
      broken,
      stop,
      breakDown: () => (breaks = true),
      isAsking: () => next !== null,
      show: async (frames: number) => {
        for (let shown = 0; shown < frames; shown++) {
          const then = next
          next = null
          then?.()
          await answers()
        }
      },
    }
  }

  it('takes the frame after a candidate in the same mode', async () => {
    const { show, modes } = openReader({ readBy: 'full' })
    await show(5)
    expect(modes).toEqual(['crop', 'full', 'full', 'tilted', 'sharp'])
  })

  it('goes on after a screen failed to take a code', async () => {
    const reported: unknown[] = []
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
    const { show, modes } = openReader({
      readBy: 'crop',
      onFrame: () => {
        throw new Error('a screen')
      },
    })
    await show(2)
    expect([modes, reported.length]).toEqual([['crop', 'full'], 2])
  })

  it('asks for no frame once it was stopped, or no engine is left', async () => {
    const one = openReader({ readBy: 'crop' })
    await one.show(1)
    one.stop()
    expect(one.isAsking()).toBe(false)
    const other = openReader({ readBy: 'crop' })
    other.breakDown()
    await other.show(1)
    expect([other.isAsking(), other.broken]).toEqual([false, ['broken']])
  })
})
