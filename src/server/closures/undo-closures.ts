import { sql } from 'kysely'

import { undoWords } from '../acts/undo-words.ts'
import type { Undoable } from '../acts/undoable.ts'
import { forgetOpenings } from '../library-facts/openings.ts'
import { maySetDaysOf } from '../visibility/visibility.ts'

const asWords = undoWords('closures', { used: sql`false`, inUse: '', taken: '' })

/** Closures, each of whoever sets the days of its site. */
export const undoClosures: Undoable = {
  ...asWords,
  read: async (trx, ids, exchange) => {
    const found = await asWords.read(trx, ids, exchange)
    return new Map(
      [...found].filter(([, { site }]) =>
        maySetDaysOf(exchange.visibility, site === null ? null : Number(site)),
      ),
    )
  },
  takeAway: async (trx, ids, exchange) => {
    forgetOpenings(exchange.environment)
    return asWords.takeAway(trx, ids, exchange)
  },
}
