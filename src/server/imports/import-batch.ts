import type { Words } from './find-words.ts'
import type { Place } from './matched-works.ts'
import type { How } from './outcome-of-row.ts'
import type { Values, WorkRow } from './work-row.ts'

/** A copy that a row brings; without a bar code the site's rule numbers it. */
export type Wanted = { values: Values; bar_code: string | null; site: number }
/** Rows with what each is planned to bring, in one order. */
export type Batch = {
  rows: readonly WorkRow[]
  copies: readonly (readonly Wanted[])[]
  places: readonly Place[]
  words: Words
  how: How
}
