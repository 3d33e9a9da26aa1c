import { setImmediate } from 'node:timers/promises'

import { type RawBuilder, sql } from 'kysely'

/** Numbers to sort by; `Infinity` stands for none and comes last either way. */
type Term = { numbers: Float64Array; isRising: boolean }

const digits = 65_536

/** The rows' places in this order, equal rows as they came; it pauses, because the process serves all. */
export async function sortNumbers(count: number, terms: readonly Term[]): Promise<Uint32Array> {
  let places = Uint32Array.from({ length: count }, (_, place) => place)
  for (const term of terms.toReversed()) {
    const { heights, highest } = heightsOf(term)
    for (let unit = 1; unit <= highest; unit *= digits) {
      places = sortByDigit(places, heights, unit)
      await setImmediate()
    }
  }
  return places
}

function heightsOf({ numbers, isRising }: Term): { heights: Float64Array; highest: number } {
  let [least, most] = [Infinity, -Infinity]
  for (const number of numbers) {
    if (number === Infinity) continue
    if (number < least) least = number
    if (number > most) most = number
  }
  const highest = most < least ? 0 : most - least + 1
  return {
    heights: numbers.map((number) =>
      number === Infinity ? highest : isRising ? number - least : most - number,
    ),
    highest,
  }
}

function sortByDigit(places: Uint32Array, heights: Float64Array, unit: number): Uint32Array<ArrayBuffer> {
  const digitOf = (place: number) => Math.floor((heights[place] ?? 0) / unit) % digits
  const starts = new Uint32Array(digits + 1)
  for (const place of places) {
    const next = digitOf(place) + 1
    starts[next] = (starts[next] ?? 0) + 1
  }
  for (let digit = 1; digit <= digits; digit += 1)
    starts[digit] = (starts[digit] ?? 0) + (starts[digit - 1] ?? 0)
  const sorted = new Uint32Array(places.length)
  for (const place of places) {
    const digit = digitOf(place)
    const to = starts[digit] ?? 0
    sorted[to] = place
    starts[digit] = to + 1
  }
  return sorted
}

/** Packs whole numbers into one value, because a row each would cost the driver more than the database. */
export const packIds = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(string_agg(int4send(${id}), ''::bytea), ''::bytea)`

/** The same for floats; missing ones become `Infinity`. */
export const packNumbers = (number: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`coalesce(string_agg(float8send(coalesce((${number})::float8, 'Infinity')), ''::bytea), ''::bytea)`

export const unpackIds = (bytes: Buffer): Int32Array =>
  new Int32Array(new Uint8Array(bytes).buffer).map((_, at) => bytes.readInt32BE(at * 4))

export const unpackNumbers = (bytes: Buffer): Float64Array =>
  new Float64Array(new Uint8Array(bytes).buffer).map((_, at) => bytes.readDoubleBE(at * 8))
