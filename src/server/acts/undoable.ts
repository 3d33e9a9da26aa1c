import { isDeepStrictEqual } from 'node:util'

import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'

export type Facts = Record<string, unknown>

/** Why some records stay as they are, in a sentence, by id. */
type Kept = ReadonlyMap<number, string>

/** How an act's records of one kind are given back what they were. */
export type Undoable = {
  /** What people call it. */
  nameOf: (facts: Facts) => string
  /** Nobody else changes them until the transaction ends. */
  lock: (trx: Trx, ids: readonly number[]) => Promise<unknown>
  /** Those that are there and open to the caller, as their journal tells them. */
  read: (trx: Trx, ids: readonly number[], exchange: Exchange) => Promise<Map<number, Facts>>
  /** Of these facts, those by which two states are compared; what the record does not hold itself is none. */
  own: (facts: Facts) => Facts
  /** Removes those that an act had added and nothing has got hold of. */
  takeAway: (trx: Trx, ids: readonly number[], exchange: Exchange) => Promise<Kept>
  /** Writes what it was over what it is, and journals it; or says why not. */
  giveBack: (trx: Trx, change: Change, exchange: Exchange) => Promise<string | null>
  /** Brings back what an act had removed, or says why not. */
  bringBack: (trx: Trx, removed: { id: number; before: Facts }, exchange: Exchange) => Promise<string | null>
}

export type Change = { id: number; before: Facts; now: Facts }

/** Whether a record is still as it was left; facts that were not told are not compared. */
export function isAsLeft({ own }: Pick<Undoable, 'own'>, now: Facts, left: Facts): boolean {
  const [is, was] = [own(now), own(left)]
  return Object.keys(was).every((key) => isDeepStrictEqual(is[key], was[key]))
}

/** The id of a relation told by its name. */
export const idIn = (value: unknown): number | null => (value as { id?: number } | null)?.id ?? null

/** These facts, as far as they were told. */
export const someOf = (facts: Facts, names: readonly string[]): Facts =>
  Object.fromEntries(names.filter((name) => name in facts).map((name) => [name, facts[name]]))
