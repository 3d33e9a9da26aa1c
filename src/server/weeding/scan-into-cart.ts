import { sql } from 'kysely'

import type { CartScan, scanIntoCart as scanIntoCartCall } from '../../contract/weeding.ts'
import type { CartVerdict, WeedingStop } from '../../domain/weeding.ts'
import type { Trx } from '../db/handles.ts'
import { accountName } from '../db/person-names.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { copiesInSight, copyOpen } from '../sight/sight.ts'
import { insertLines } from './change-cart.ts'
import { isInStock, isLastAwaited, stop } from './weeding-facts.ts'

type Found = {
  id: number
  name: string
  site_name: string
  is_open: boolean
  is_here: boolean
  is_in_stock: boolean
  stopped: WeedingStop | null
  is_last_awaited: boolean
}

/** Puts what was read into the cart, or says why it does not belong there; no scan is refused, because somebody holds the copy. */
export async function scanIntoCart(
  trx: Trx,
  { body: { codes } }: VerbInput<typeof scanIntoCartCall>,
  exchange: Exchange,
): Promise<Outcome<CartScan>> {
  const found = await findRead(trx, codes, exchange)
  if (!found) return done({ verdict: 'unknown', copy: null, name: null, site_name: null, who: null })
  const { id, name, site_name, is_open } = found
  if (!is_open) return done({ verdict: 'elsewhere', copy: null, name: null, site_name: null, who: null })
  const told = { copy: id, name, site_name, who: null }
  const against = whyNot(found)
  if (against !== null) return done({ verdict: against, ...told })
  const added = await insertLines(trx, [id], { why: '', is_scanned: true }, exchange)
  if (added.length === 0) return done({ verdict: 'already', ...told, who: await whoPut(trx, id) })
  return done({ verdict: found.is_last_awaited ? 'awaited' : 'added', ...told })
}

function whyNot({ is_here, is_in_stock, stopped }: Found): CartVerdict | null {
  if (!is_in_stock) return 'withdrawn'
  return is_here ? stopped : 'elsewhere'
}

/** Of several with such a code the one that is there, and here. */
async function findRead(trx: Trx, codes: readonly string[], { sight }: Exchange): Promise<Found | null> {
  const isHere = copiesInSight(sight)
  const { rows } = await sql<Found>`
    select c.id, r.name, s.name as site_name, ${copyOpen(sight)} as is_open, ${isHere} as is_here,
      ${isInStock} as is_in_stock, ${stop} as stopped, ${isLastAwaited} as is_last_awaited
    from copies c join "references" r on r.id = c.reference join sites s on s.id = c.site
    where c.bar_code = any(${[...codes]}::text[])
    order by ${isInStock} desc, (${isHere})::int desc, array_position(${[...codes]}::text[], c.bar_code), c.id desc limit 1`.execute(
    trx,
  )
  return rows[0] ?? null
}

async function whoPut(trx: Trx, copy: number): Promise<string | null> {
  const { rows } = await sql<{ who: string }>`
    select ${accountName('u')} as who from weeding_lines k join users u on u.id = k.added_by
    where k.copy = ${copy} and k.weeding is null`.execute(trx)
  return rows[0]?.who ?? null
}
