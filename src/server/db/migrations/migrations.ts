import type { Migration } from 'kysely'

import * as baseline from './0001-baseline.ts'

/** Applied in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
}

/** The baseline makes what these steps of the versions before 0.1.0 had made, from the first to the last. */
const [firstReplaced, lastReplaced] = ['0001-circulation', '0076-cards-alike']

/** What a library or a backup had applied, by the names of today; one that stopped among the replaced steps keeps its names. */
export const namesOfToday = (applied: readonly string[]): readonly string[] =>
  applied.includes(lastReplaced)
    ? ['0001-baseline', ...applied.filter((name) => name > lastReplaced)]
    : applied

/** Of a trial version whose tables no version takes up any more. */
export const isTooOld = (applied: readonly string[]): boolean =>
  applied.includes(firstReplaced) && !applied.includes(lastReplaced)
