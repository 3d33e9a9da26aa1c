import { folded } from './every-word.ts'

// The cover of a title that has no image is 40 by 56, drawn from its words alone: it is the same on every device.

const articles = new Set(['le', 'la', 'les', 'l', 'un', 'une', 'des', 'du', 'de', 'd', 'the', 'a', 'an'])

/** « PP » for « Le petit prince », « Du » for « Dune », « 1984 ». */
export function monogramOf(title: string): string {
  const all = title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const telling = all.filter((word) => !articles.has(folded(word)))
  const [first = '', second] = telling.length > 0 ? telling : all
  if (/^\d{2,4}$/.test(first)) return first
  const start = ([letter = '']: Iterable<string>) => letter.toUpperCase()
  return second === undefined ? [...first].slice(0, 2).join('') : start([...first]) + start([...second])
}

type Text = { size: number; lines: string[] }

const width = 32
/** How wide a sign is on average, beside the height of its letters. */
const signWidth = 0.54
/** Of its letters' height, from one line to the next. */
export const lineHeight = 1.2

/** The words in the largest letters that give them all their room; in the smallest, what has none is left out. */
export function fitted(words: string, sizes: readonly number[], height: number): Text {
  const smallest = sizes.at(-1) ?? 1
  for (const size of sizes) {
    const most = Math.floor(height / (size * lineHeight))
    const signs = Math.floor(width / (size * signWidth))
    const lines = wrapped(words, signs)
    if (lines.length <= most && lines.every((line) => line.length <= signs)) return { size, lines }
    if (size === smallest) {
      const shown = lines.slice(0, most)
      return { size, lines: lines.length > most ? [...shown.slice(0, -1), `${shown.at(-1)}…`] : shown }
    }
  }
  return { size: smallest, lines: [] }
}

function wrapped(words: string, signs: number): string[] {
  const lines: string[] = []
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= signs)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Hue, saturation and lightness: white letters stand on each at seven to one. */
const grounds = [
  [212, 45, 31],
  [356, 45, 34],
  [158, 45, 22],
  [272, 32, 36],
  [24, 60, 27],
  [192, 55, 23],
  [328, 40, 34],
  [44, 70, 20],
  [240, 30, 38],
  [96, 38, 22],
] as const

/** The colour of a medium, a little lighter or darker from one title to the next. */
export function groundOf(medium: string | null, title: string): string {
  const tint = (digestOf(title) % 3) * 2 - 2
  if (medium === null) return `hsl(212 10% ${34 + tint}%)`
  const [hue, saturation, lightness] = grounds[digestOf(folded(medium)) % grounds.length] ?? grounds[0]
  return `hsl(${hue} ${saturation}% ${lightness + tint}%)`
}

const digestOf = (text: string): number =>
  [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7)
