export type Random = {
  /** From 0 to 1, 1 excluded. */
  next(): number
  chance(probability: number): boolean
  /** A whole number, both ends included. */
  between(from: number, to: number): number
  oneOf<T>(choices: readonly T[]): T | undefined
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T
}

/** Chance that can be had again: the same seed, the same numbers (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    oneOf: (choices) => (choices.length === 0 ? undefined : choices[between(0, choices.length - 1)]),
    weighted: (choices) => {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0)
      let left = next() * total
      for (const [weight, choice] of choices) {
        left -= weight
        if (left < 0) return choice
      }
      const [, last] = choices.at(-1) ?? []
      if (last === undefined) throw new Error('nothing to choose from')
      return last
    },
  }
}
