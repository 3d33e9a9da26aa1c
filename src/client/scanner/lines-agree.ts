import { readBarcodes, type ReaderOptions, type ReadResult } from 'zxing-wasm/reader'

import { barDirections, isAslant } from './bar-direction.ts'
import { type FramePixels, greyOf, type Region } from './frame-pixels.ts'
import { sharpenFrame } from './sharpen-frame.ts'

export function cutFrame(frame: FramePixels, { x, y, width, height }: Region): FramePixels {
  const data = new Uint8ClampedArray(width * height * 4)
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * frame.width + x) * 4
    data.set(frame.data.subarray(from, from + width * 4), row * width * 4)
  }
  return { data, width, height }
}

const enoughLines = 6
/** Smallest distance between the outer lines, for bars of length 1: closer lines are one line read twice. */
const enoughSpread = 0.01
const majority = 4
// A wrong reading rarely survives another sharpness. Frames are sharpened with none of these.
const strengths = [0, 1, 2, 3.5]
const largestScale = 2
const largestLook = 400_000

const polledLines = 32
const oneLine = { tryRotate: false, tryDownscale: false, minLineCount: 1, maxNumberOfSymbols: 1 } as const

interface Look {
  frame: FramePixels
  pixels: FramePixels
  results: readonly ReadResult[]
  options: ReaderOptions
}

interface Vote {
  code: string
  lines: number
  box: Region
}

/** One wrong line in ten passes its check digit and its neighbour is wrong alike: enough lines must agree. */
export async function linesAgree(result: ReadResult, look: Look): Promise<boolean> {
  // Other symbols correct their own errors.
  if (result.lineCount === 0) return true
  const { frame, pixels, results } = look
  const scale = pixels.width / frame.width
  const candidate = voteOf(result, scale)
  if (result.symbology === 'ITF' && standsAslant(candidate, frame)) return false
  const votes = results.map((one) => voteOf(one, scale))
  if (!isElected(candidate, votes)) {
    votes.push(...(await lookAgain(candidate, result.isInverted, look)))
    if (!isElected(candidate, votes)) return false
  }
  return !(await linesSayAnother(result, look))
}

function standsAslant({ box }: Vote, frame: FramePixels): boolean {
  const [bars] = barDirections(greyOf(cutFrame(frame, withEnds(box, frame, 0.5))))
  return bars !== undefined && isAslant(bars)
}

/** Asks line by line, because the engine drops what fewer lines say. */
async function linesSayAnother(result: ReadResult, { pixels, options }: Look): Promise<boolean> {
  const { box, code } = voteOf(result, 1)
  const part = withEnds(box, pixels, 0)
  const isDown = isAcross(box)
  const lines = isDown ? part.width : part.height
  const votes: Vote[] = []
  for (let nth = 0; nth < Math.min(lines, polledLines); nth++) {
    const at = Math.floor((nth * lines) / Math.min(lines, polledLines))
    const line = isDown ? { ...part, x: part.x + at, width: 1 } : { ...part, y: part.y + at, height: 1 }
    const { data } = cutFrame(pixels, line)
    // As a row, whether the pixels lay in a row or in a column.
    const row = { data, width: line.width * line.height, height: 1 }
    const [read] = await readBarcodes(row as ImageData, {
      ...options,
      ...oneLine,
      tryInvert: result.isInverted,
    })
    if (read !== undefined) votes.push(voteOf(read, 1))
  }
  const { own, mostOfAnother } = countLines(code, votes)
  // A single different line was read wrong; it is not another code.
  return mostOfAnother > 1 && own < majority * mostOfAnother
}

async function lookAgain(
  { box }: Vote,
  isInverted: boolean,
  { frame, options }: Pick<Look, 'frame' | 'options'>,
): Promise<Vote[]> {
  const part = withEnds(box, frame, 0.5)
  const pixels = cutFrame(frame, part)
  const scale = Math.max(1, Math.min(largestScale, Math.sqrt(largestLook / (part.width * part.height))))
  const votes: Vote[] = []
  for (const strength of strengths) {
    const results = await readBarcodes(sharpenFrame(pixels, { scale, radius: 2, strength }) as ImageData, {
      ...options,
      tryRotate: isAcross(box),
      tryInvert: isInverted,
      tryDownscale: false,
      minLineCount: 1,
      maxNumberOfSymbols: 255,
    })
    votes.push(...results.filter(({ isValid }) => isValid).map((one) => voteOf(one, scale, part)))
  }
  return votes
}

function isElected({ code, box }: Vote, votes: readonly Vote[]): boolean {
  const own = votes.filter((vote) => vote.code === code)
  const others = votes.filter((vote) => vote.code !== code && areSameBars(vote.box, box))
  const counted = countLines(code, [...own, ...others])
  return (
    counted.own >= Math.max(enoughLines, majority * counted.mostOfAnother) &&
    spreadOf(own.map((vote) => vote.box)) >= enoughSpread * lengthOf(box)
  )
}

function countLines(code: string, votes: readonly Vote[]): { own: number; mostOfAnother: number } {
  const linesOf = new Map<string, number>()
  for (const vote of votes) linesOf.set(vote.code, (linesOf.get(vote.code) ?? 0) + vote.lines)
  const own = linesOf.get(code) ?? 0
  linesOf.delete(code)
  return { own, mostOfAnother: Math.max(0, ...linesOf.values()) }
}

/** In the frame's coordinates. */
function voteOf(
  { symbology, text, lineCount, position }: ReadResult,
  scale: number,
  part: Pick<Region, 'x' | 'y'> = { x: 0, y: 0 },
): Vote {
  const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
  const xs = corners.map(({ x }) => part.x + x / scale)
  const ys = corners.map(({ y }) => part.y + y / scale)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  const box = { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
  return { code: `${symbology} ${text}`, lines: lineCount, box }
}

const isAcross = ({ width, height }: Region): boolean => height > width
const lengthOf = ({ width, height }: Region): number => Math.max(width, height)

function spreadOf(boxes: readonly Region[]): number {
  const spans = boxes.map((box) => (isAcross(box) ? [box.x, box.x + box.width] : [box.y, box.y + box.height]))
  return Math.max(...spans.map(([, last = 0]) => last)) - Math.min(...spans.map(([first = 0]) => first))
}

/** Codes printed above each other lie further apart than this. */
function areSameBars(one: Region, other: Region): boolean {
  if (isAcross(one) !== isAcross(other)) return false
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  const [along, beside] = isAcross(one) ? [down, across] : [across, down]
  const length = Math.min(lengthOf(one), lengthOf(other))
  return along >= length / 2 && beside >= -length / 20
}

function withEnds(box: Region, { width, height }: FramePixels, beside: number): Region {
  const length = lengthOf(box)
  const [aside, above] = isAcross(box) ? [length * beside, length / 5] : [length / 5, length * beside]
  const x = Math.max(0, Math.floor(box.x - aside))
  const y = Math.max(0, Math.floor(box.y - above))
  return {
    x,
    y,
    width: Math.min(width, Math.ceil(box.x + box.width + aside) + 1) - x,
    height: Math.min(height, Math.ceil(box.y + box.height + above) + 1) - y,
  }
}
