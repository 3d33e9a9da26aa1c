import openBidi from 'bidi-js'

/** A part of a line, in the order in which it is read; `isRtl` where that is from right to left. */
export type Part = { text: string; isRtl: boolean }

const bidi = openBidi()

/** The parts of one line from left to right, as `split` cuts them; the line reads from right to left where its first letter does. */
export function inVisualOrder<P extends Part>(
  line: string,
  split: (part: Part) => readonly P[],
): readonly P[] {
  const { levels } = bidi.getEmbeddingLevels(line)
  const runs: { level: number; text: string }[] = []
  let at = 0
  for (const sign of line) {
    // Both halves of a sign are of the level of its first.
    const level = levels[at] ?? 0
    const last = runs.at(-1)
    const seen = level % 2 === 1 ? (bidi.getMirroredCharacter(sign) ?? sign) : sign
    if (last?.level === level) last.text += seen
    else runs.push({ level, text: seen })
    at += sign.length
  }
  const parts = runs.flatMap(({ level, text }) =>
    split({ text, isRtl: level % 2 === 1 }).map((of) => ({ level, of })),
  )
  for (let least = Math.max(0, ...runs.map(({ level }) => level)); least > 0; least -= 1)
    turnEach(parts, ({ level }) => level >= least)
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
