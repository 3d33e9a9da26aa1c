import type { Migration } from 'kysely'

import * as baseline from './0001-baseline.ts'
import * as rowChanges from './0077-row-changes.ts'
import * as severalMachines from './0078-several-machines.ts'

/** Applied in the order of their names; the first after the baseline is 0077, as those that it replaces went to 0076. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-baseline': baseline,
  '0077-row-changes': rowChanges,
  '0078-several-machines': severalMachines,
}

/** The steps before the baseline: it makes what all of them had made, of which the last three came in another order. */
const firstReplaced = '0001-circulation'
export const lastReplaced = ['0074-no-balance-from-files', '0075-most-renewals', '0076-cards-alike'] as const

/** A version that ends with them, for whoever stopped before. */
export const lastBeforeBaseline = '7e10f1d5'

const hasAllReplaced = (applied: readonly string[]): boolean =>
  lastReplaced.every((name) => applied.includes(name))

/** What a library or a backup had applied, by the names of today; one that stopped among the replaced steps keeps its names. */
export const namesOfToday = (applied: readonly string[]): readonly string[] =>
  hasAllReplaced(applied) ? ['0001-baseline', ...applied.filter((name) => name > lastReplaced[2])] : applied

/** Of a trial version whose tables this one does not take up. */
export const isTooOld = (applied: readonly string[]): boolean =>
  applied.includes(firstReplaced) && !hasAllReplaced(applied)
