import { sql } from 'kysely'

import {
  codesOfCards,
  copyOfCode,
  holdBarCode,
  ofCard,
  shelfOfCode,
  whoseShelf,
} from '../library-facts/held-codes.ts'
import type { ListRules } from '../http/bind-described.ts'
import { violation } from '../http/outcome.ts'
import { copyOpen } from '../visibility/visibility.ts'
import { heldBy } from './write-copy.ts'

export const locationRules: ListRules = {
  mayWrite: async ({ id, bar_code }, _exchange, trx) => {
    if (typeof bar_code !== 'string') return null
    // Only a code that is given is judged: what stands from before can be mended.
    const { rows: same } =
      await sql`select from locations where id = ${id} and bar_code = ${bar_code}`.execute(trx)
    if (same.length > 0) return null
    await holdBarCode(trx, bar_code)
    if (await copyOfCode(trx, bar_code))
      return violation('bar_code', `Le code-barres ${bar_code} est celui d’un exemplaire.`)
    const shelf = await shelfOfCode(trx, bar_code, id)
    if (shelf) return violation('bar_code', heldBy(bar_code, shelf.bar_code, whoseShelf(shelf)))
    return (await codesOfCards(trx, [bar_code])).size > 0 ? violation('bar_code', ofCard(bar_code)) : null
  },
  mayGive: (visibility) => sql`t.id in (select c.id from copies c where ${copyOpen(visibility)})`,
}
