import { setImmediate } from 'node:timers/promises'

import { decodeFrame, regionOf } from '../../src/client/scanner/decode-frame.ts'
import { createFrameTurns, frameModes } from '../../src/client/scanner/frame-modes.ts'
import { cutFrame } from '../../src/client/scanner/lines-agree.ts'
import { createScanAgreement, type Read } from '../../src/client/scanner/scan-agreement.ts'
import { cleanScan, type Symbology } from '../../src/domain/bar-code.ts'
import { type CodeShape, codeShapesOf, learnCode } from '../../src/domain/code-shapes.ts'
import type { Pixels } from '../scanner/read-png.ts'
import { moved, photograph, printedCodes, printLabel, type Surface, turned } from '../scanner/tilted-label.ts'
import { benchScale, median, quantile, type Table } from './section.ts'

const size = { width: 1280, height: 720 }
const framesPerSecond = 15
/** A code that is not read by then never is. */
const framesOfFilm = 3 * framesPerSecond

const everyAngle = (step: number): number[] => Array.from({ length: 90 / step + 1 }, (_, nth) => nth * step)

/** Which angles each kind of frame reads, for a sharp label that lies still. */
export async function readTilted(): Promise<Table> {
  const angles = everyAngle(benchScale === 'full' ? 5 : 15)
  let wrong = 0
  const rows: string[][] = []
  for (const [symbology, printed, code] of printedCodes) {
    const label = await printLabel(symbology, printed)
    const read = frameModes.map(() => new Set<number>())
    for (const angle of angles) {
      const frame = photograph(turned(label, angle), size)
      for (const [at, mode] of frameModes.entries()) {
        const found = await decodeFrame(cutFrame(frame, regionOf(size.width, size.height, mode)), mode)
        if (found === null) continue
        if (codeOf(found) === code) read[at]?.add(angle)
        else wrong++
      }
    }
    const ever = angles.filter((angle) => read.some((one) => one.has(angle)))
    rows.push([symbology, ...[...read.map((one) => one.size), ever.length].map(String)])
  }
  return {
    title: `Scanner, a still label at ${angles.length} angles from 0° to 90°`,
    notes: [
      `How many of them each kind of frame reads. Bars of 560 × 106 pixels in a frame of 1280 × 720. Misread: ${wrong}.`,
    ],
    columns: ['code', ...frameModes, 'the four in turn'],
    rows,
  }
}

const codeOf = (read: Read): string => cleanScan(read.text, read.symbology)

/** How long a hand holds a label before the camera until it is read. */
export async function readFilms(): Promise<Table> {
  const angles = everyAngle(benchScale === 'full' ? 5 : 15)
  const rows: string[][] = []
  for (const [name, isKnown] of [
    ['of another library', false],
    ['of this library', true],
  ] as const) {
    const times: number[] = []
    const tally = { unread: 0, wrong: 0 }
    for (const printed of printedCodes) {
      for (const angle of angles) {
        const found = await firstScan(await film(printed[0], printed[1], angle), {
          code: printed[2],
          isKnown,
        })
        if (found === null) tally.unread++
        else if (codeOf(found.read) !== printed[2]) tally.wrong++
        else times.push(found.ms)
      }
    }
    const figures = [times.length, tally.unread, tally.wrong].map(String)
    rows.push([name, ...figures, `${median(times).toFixed(0)} ms`, `${quantile(times, 0.95).toFixed(0)} ms`])
  }
  return {
    title: `Scanner, films of a label held in the hand, ${framesPerSecond} frames a second, tilted 0° to 90°`,
    notes: [
      `${printedCodes.length} kinds of code at ${angles.length} angles, 1280 × 720, moving and a little blurred. A frame is decoded as it comes, by the clock; those that come meanwhile are lost. A code of this library is one that the device knows; its look-up (see « device ») is not in the time.`,
    ],
    columns: ['a code', 'read', 'not in 3 s', 'misread', 'p50 to the scan', 'p95'],
    rows,
  }
}

type Film = (frame: number) => Pixels

/** A hand sways by some pixels and two degrees, and smears what it moves. */
async function film(symbology: Symbology, printed: string, angle: number): Promise<Film> {
  const label = await printLabel(symbology, printed)
  return (frame) => {
    const at = frame / framesPerSecond
    const swayed = turned(label, angle + 2 * Math.sin(5 * at + angle))
    const held: Surface = moved(swayed, 25 * Math.sin(4 * at + 1), 18 * Math.sin(6 * at + 2))
    const blur = { x: 1 + 1.5 * Math.abs(Math.cos(4 * at + 1)), y: 1 + 1.5 * Math.abs(Math.cos(6 * at + 2)) }
    return photograph(held, { ...size, blur })
  }
}

async function firstScan(
  frameAt: Film,
  { code, isKnown }: { code: string; isKnown: boolean },
): Promise<{ read: Read; ms: number } | null> {
  const learnt: CodeShape[] = []
  if (isKnown) learnCode(learnt, code, 'copy')
  const shapes = codeShapesOf(learnt)
  const scans: Read[] = []
  let now = 0
  const agree = createScanAgreement({
    now: () => now,
    shapes: () => shapes,
    isKnown: (read) => Promise.resolve(isKnown && codeOf(read) === code),
    onScan: (read) => scans.push(read),
  })
  const turns = createFrameTurns()
  for (let frame = 0; frame < framesOfFilm; frame = Math.ceil((now / 1000) * framesPerSecond)) {
    const part = cutFrame(frameAt(frame), regionOf(size.width, size.height, turns.mode))
    const start = performance.now()
    const read = await decodeFrame(part, turns.mode)
    now = (frame / framesPerSecond) * 1000 + Math.max(performance.now() - start, 1)
    const verdict = agree(read)
    // The device's word.
    await setImmediate()
    const [scan] = scans
    if (scan) return { read: scan, ms: now }
    turns.next(verdict === 'candidate')
  }
  return null
}
