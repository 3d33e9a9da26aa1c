import { folded } from './every-word.ts'

// The cover of a title that has no image is drawn from its words alone: it is the same on every device.

const articles = new Set(['le', 'la', 'les', 'l', 'un', 'une', 'des', 'du', 'de', 'd', 'the', 'a', 'an'])

/** « PP » for « Le petit prince », « Du » for « Dune », « 1984 ». */
export function monogramOf(title: string): string {
  const all = title.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const telling = all.filter((word) => !articles.has(folded(word)))
  const [first = '', second] = telling.length > 0 ? telling : all
  if (/^\d{2,4}$/.test(first)) return first
  const [letter = '', next = ''] = Array.from(first)
  return letter.toUpperCase() + (second === undefined ? next : (/^./u.exec(second)?.[0].toUpperCase() ?? ''))
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
  Array.from(text).reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 65_521, 7)
