import { sql } from 'kysely'

import { locations } from '../../contract/locations.ts'
import { source } from '../db/source.ts'
import { codesOfCards, copyOfCode, holdBarCode, ofCard, shelfOfCode, whoseShelf } from '../db/held-codes.ts'
import { bindResource, whileUsed } from '../http/bind-resource.ts'
import { violation } from '../http/outcome.ts'
import { seenByAll } from '../sight/sight.ts'
import { heldBy } from './write-copy.ts'

const rows = source(locations, {
  from: sql`locations lo left join (
    select c.location, count(*) as copies_count from copies c where c.deleted_at is null group by c.location
  ) counted on counted.location = lo.id`,
  where: sql`lo.deleted_at is null`,
  seen: seenByAll,
  id: sql`lo.id`,
  columns: {
    label: sql`lo.label`,
    bar_code: sql`lo.bar_code`,
    copies_count: sql`coalesce(counted.copies_count, 0)`,
  },
  sorts: { label: sql`search_text(lo.label)` },
})

export const locationRoutes = bindResource(locations, 'locations', rows, {
  missing: 'Cet emplacement n’existe pas.',
  taken: { label: 'Un emplacement porte déjà ce libellé.' },
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
  refuses: whileUsed(
    (id) => sql`select count(*)::integer as count from copies where location = ${id} and deleted_at is null`,
    (count) =>
      count === 1
        ? 'Un exemplaire est à cet emplacement\u202f: rangez-le ailleurs avant de le supprimer.'
        : `${count} exemplaires sont à cet emplacement\u202f: rangez-les ailleurs avant de le supprimer.`,
  ),
})
