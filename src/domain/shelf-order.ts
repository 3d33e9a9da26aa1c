/** The order of French shelf marks along a shelf, and what stands out of it. */

type Part = { kind: 'number'; whole: number; decimals: string } | { kind: 'word'; word: string }

const inFrench = new Intl.Collator('fr', { sensitivity: 'base' })

function partsOf(mark: string): Part[] {
  return (mark.normalize('NFC').match(/\d+(?:[.,]\d+)?|\p{L}+/gu) ?? []).map((sign): Part => {
    const [whole = '', decimals = ''] = sign.split(/[.,]/)
    return /^\d/.test(sign)
      ? { kind: 'number', whole: Number(whole), decimals }
      : { kind: 'word', word: sign }
  })
}

function compareParts(one: Part, other: Part): number {
  if (one.kind === 'word' || other.kind === 'word') {
    if (one.kind === 'number') return -1
    if (other.kind === 'number') return 1
    return inFrench.compare(one.word, other.word)
  }
  // Dewey's decimals go digit by digit: 843.914 stands before 843.92.
  return one.whole - other.whole || compareText(one.decimals, other.decimals)
}

const compareText = (one: string, other: string): number => Number(one > other) - Number(one < other)

/** Word by word and number by number, without regard to case, accents and signs between; figures go before letters. */
export const compareShelfMarks = (one: string, other: string): number =>
  compareMarks(partsOf(one), partsOf(other))

/** A new list by shelf mark, each of which is read once; `then` orders those of one mark. */
export function orderByShelfMark<Item>(
  items: readonly Item[],
  markOf: (item: Item) => string,
  then: (one: Item, other: Item) => number,
): Item[] {
  return items
    .map((item) => ({ item, parts: partsOf(markOf(item)) }))
    .sort((one, other) => compareMarks(one.parts, other.parts) || then(one.item, other.item))
    .map(({ item }) => item)
}

function compareMarks(left: readonly Part[], right: readonly Part[]): number {
  for (const [at, part] of left.entries()) {
    const beside = right[at]
    if (beside === undefined) return 1
    const order = compareParts(part, beside)
    if (order !== 0) return order
  }
  return left.length - right.length
}

/** Between which two it belongs, of all that stand in order; null where it goes first or last. */
type Misplaced<Item> = { item: Item; after: Item | null; before: Item | null }

/**
 * The fewest of each stretch of shelf that must move for the rest to be in order (all but a longest run that never
 * goes back). What has no mark has no place and stands nowhere.
 */
export function findMisplaced<Item>(
  stretches: readonly (readonly Item[])[],
  markOf: (item: Item) => string | null,
): Misplaced<Item>[] {
  const marked = stretches.map((stretch) =>
    stretch.flatMap((item) => {
      const parts = partsOf(markOf(item) ?? '')
      return parts.length === 0 ? [] : [{ item, parts }]
    }),
  )
  const byMark = (one: Marked<Item>, other: Marked<Item>) => compareMarks(one.parts, other.parts)
  const inOrder = marked.flatMap((stretch) => longestRun(stretch, byMark)).sort(byMark)
  const kept = new Set(inOrder)
  return marked
    .flat()
    .filter((one) => !kept.has(one))
    .map((stray) => {
      const next = inOrder.findIndex((one) => byMark(one, stray) > 0)
      const after = next === -1 ? inOrder.at(-1) : inOrder[next - 1]
      return { item: stray.item, after: after?.item ?? null, before: inOrder[next]?.item ?? null }
    })
}

type Marked<Item> = { item: Item; parts: readonly Part[] }

/** A longest subsequence that never decreases (patience sorting). */
function longestRun<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Item[] {
  type Link = { item: Item; before: Link | null }
  /** The run of each length that ends lowest. */
  const ends: Link[] = []
  for (const item of items) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const end = ends[middle]
      if (end !== undefined && compare(end.item, item) <= 0) low = middle + 1
      else high = middle
    }
    ends[low] = { item, before: ends[low - 1] ?? null }
  }
  const run: Item[] = []
  for (let link = ends.at(-1) ?? null; link !== null; link = link.before) run.unshift(link.item)
  return run
}

/** Whether a mark stands between the first and the last of a shelf, or is one of them. */
export const isWithin = (mark: string, first: string, last: string): boolean =>
  compareShelfMarks(first, mark) <= 0 && compareShelfMarks(mark, last) <= 0

/** The marks that a shelf begins and ends with once what is misplaced is left out; null without two marks. */
export function runOf(marks: readonly string[]): { first: string; last: string } | null {
  const run = longestRun(marks, compareShelfMarks)
  const [first, last] = [run[0], run.at(-1)]
  return run.length < 2 || first === undefined || last === undefined ? null : { first, last }
}
