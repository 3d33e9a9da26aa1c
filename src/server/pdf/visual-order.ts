/** A part of a line, in the order in which it is read; `isRtl` where that is from right to left. */
export type Part = { text: string; isRtl: boolean }

export const rtlLetter =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const letter = /\p{L}/u
const digit = /\p{Nd}/u
const mark = /\p{M}/u
/** Between two digits they are of the number. */
const separator = /[.,:/+\-\u00a0\u202f]/u

/** Of left to right, of right to left, a number among the latter, or what takes the direction of its neighbours. */
type Direction = 'L' | 'R' | 'D' | null

const reads = (direction: Direction | undefined) => (direction === 'D' ? 'R' : direction)

/**
 * The parts of one line from left to right, as `split` cuts them: as much of the Unicode Bidirectional Algorithm as titles and names ask,
 * without its controls. The line reads from right to left where its first letter does.
 */
export function inVisualOrder<P extends Part>(
  line: string,
  split: (part: Part) => readonly P[],
): readonly P[] {
  const signs = Array.from(line)
  const base = signs.find((sign) => letter.test(sign))?.match(rtlLetter) ? 'R' : 'L'
  const directions: Direction[] = []
  let strong: 'L' | 'R' = base
  for (const sign of signs) {
    if (mark.test(sign)) directions.push(directions.at(-1) ?? null)
    else if (digit.test(sign)) directions.push(strong === 'R' ? 'D' : 'L')
    else if (!letter.test(sign)) directions.push(null)
    else {
      strong = rtlLetter.test(sign) ? 'R' : 'L'
      directions.push(strong)
    }
  }
  for (const [at, sign] of signs.entries()) {
    const isInNumber = directions[at - 1] === 'D' && directions[at + 1] === 'D'
    if (directions[at] === null && isInNumber && separator.test(sign)) directions[at] = 'D'
  }
  const levels = directions.map((direction, at) => {
    const before = reads(directions.slice(0, at).findLast((one) => one !== null)) ?? base
    const after = reads(directions.slice(at + 1).find((one) => one !== null)) ?? base
    const own = direction ?? (before === after ? before : base)
    if (own === 'R') return 1
    return own === 'D' || base === 'R' ? 2 : 0
  })
  const parts: { level: number; of: P }[] = []
  for (let from = 0, to = 1; from < signs.length; to += 1) {
    const level = levels[from] ?? 0
    if (to < signs.length && levels[to] === level) continue
    const text = signs.slice(from, to).join('')
    const isRtl = level === 1
    for (const of of split({ text: isRtl ? mirrored(text) : text, isRtl })) parts.push({ level, of })
    from = to
  }
  for (const least of [2, 1]) turnEach(parts, ({ level }) => level >= least)
  return parts.map(({ of }) => of)
}

/** Turns each longest run of such parts round. */
function turnEach<T>(parts: T[], isIn: (part: T) => boolean): void {
  let from = 0
  for (let at = 0; at <= parts.length; at += 1) {
    const part = parts[at]
    if (part !== undefined && isIn(part)) continue
    parts.splice(from, at - from, ...parts.slice(from, at).reverse())
    from = at + 1
  }
}

const pairs = ['()', '[]', '{}', '<>', '«»', '‹›']
const mirrors = new Map(
  pairs.flatMap(([open = '', close = '']) => [
    [open, close],
    [close, open],
  ]),
)

/** What opens there closes here. */
const mirrored = (text: string): string => Array.from(text, (sign) => mirrors.get(sign) ?? sign).join('')
