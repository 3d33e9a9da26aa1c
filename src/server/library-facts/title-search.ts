import type { RawBuilder } from 'kysely'

import type { FilterValue } from '../../contract/list.ts'
import { isbnOf } from '../../domain/bar-code.ts'
import { everyWord } from '../db/lists/list-sql.ts'

/** A code is kept without its hyphens, words and add-on. */
export const keptCode = (typed: FilterValue): FilterValue => isbnOf(String(typed)) ?? typed

/** Titles by the words of `r.search`, or by an ISBN however it is typed. */
export const titlesMatching = (search: RawBuilder<unknown>, typed: FilterValue | FilterValue[]) =>
  everyWord(search, keptCode(String(typed)))
