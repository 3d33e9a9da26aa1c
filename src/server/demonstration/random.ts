/** Chance that is the same for the same seed. */
export type Random = {
  next(): number
  between(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(among: readonly T[]): T
  weighted<T>(among: readonly (readonly [T, number])[]): T
  /** A whole number whose mean is `expected`. */
  round(expected: number): number
  shuffle<T>(items: readonly T[]): T[]
}

/** mulberry32, by Tommy Ettinger, in the public domain. */
export function seededRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (among) => {
      const found = among[Math.floor(next() * among.length)]
      if (found === undefined) throw new Error('nothing to pick from')
      return found
    },
    weighted: (among) => {
      let left = next() * among.reduce((sum, [, weight]) => sum + weight, 0)
      const found = among.find(([, weight]) => (left -= weight) < 0) ?? among.at(-1)
      if (found === undefined) throw new Error('nothing to pick from')
      return found[0]
    },
    round: (expected) => Math.floor(expected) + (next() < expected % 1 ? 1 : 0),
    shuffle: (items) => {
      const shuffled = [...items]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = between(0, last)
        ;[shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never]
      }
      return shuffled
    },
  }
}
