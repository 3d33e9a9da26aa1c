import { sql } from 'kysely'

import type { Copy } from '../../contract/catalogue.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isOut } from '../../domain/copies-out.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen } from '../sight/sight.ts'
import { getCopy } from './copy-queries.ts'

const atHome = { status: 'Disponible', sent_from: null, sent_at: null } as const

/** Sends a locked copy to another site, whose it is from now on; or takes one back that has not arrived. */
export async function sendCopy(
  trx: Trx,
  copy: Copy,
  site: number,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  if (copy.sent_from?.id === site && isSiteOpen(exchange.sight, site)) {
    return move(trx, copy, 'copies.take_back', { ...atHome, site }, exchange)
  }
  const from = standsAt(copy, site, exchange)
  const refusal = whyNotSent(copy) ?? (await whyNotThere(trx, { name: copy.name, from }, site))
  if (refusal) return refusal
  const sent = {
    status: 'En transfert',
    site,
    sent_from: from,
    sent_at: exchange.now.toISOString(),
  } as const
  return move(trx, copy, 'copies.send', sent, exchange)
}

/** Confirms that a locked copy under way has arrived. */
export const receiveCopy = (trx: Trx, copy: Copy, exchange: Exchange): Promise<Outcome<Copy>> =>
  move(trx, copy, 'copies.receive', atHome, exchange)

/** Where it is sent from: its site or, on its way home, the counter that took it back for that site. */
const standsAt = ({ site: home }: Copy, site: number, { site: here, sight }: Exchange): number =>
  site === home && here !== null && isSiteOpen(sight, here) ? here : home

function whyNotSent({ name, status_name, site_name, sold_on, date }: Copy): Refused | null {
  const title = `«\u00a0${name}\u00a0»`
  if (sold_on !== null) {
    return conflict(
      'COPY_UNAVAILABLE',
      `${title} a été vendu le ${frenchDay(sold_on)}\u202f: il ne se transfère pas.`,
    )
  }
  if (!isOut(status_name)) return null
  const since = date === null ? '' : `, depuis le ${frenchDay(date)}`
  return conflict(
    'COPY_UNAVAILABLE',
    status_name === 'En Location'
      ? `${title} est en prêt\u202f: il se transfère une fois rendu.`
      : `${title} est déjà en transfert vers ${site_name}${since}.`,
    { status: status_name },
  )
}

async function whyNotThere(
  trx: Trx,
  { name, from }: { name: string; from: number },
  site: number,
): Promise<Refused | null> {
  // It stays in service until the copy is sent.
  const { rows } = await sql<{ name: string; enabled: boolean }>`
    select name, enabled from sites where id = ${site} and deleted_at is null for share`.execute(trx)
  const [there] = rows
  if (!there) return violation('site', 'Ce site n’existe pas.')
  if (site === from) return violation('site', `«\u00a0${name}\u00a0» est déjà à ${there.name}.`)
  return there.enabled ? null : violation('site', `${there.name} n’est plus en service.`)
}

type Moved = {
  status: 'Disponible' | 'En transfert'
  site?: number
  sent_from: number | null
  sent_at: string | null
}

async function move(
  trx: Trx,
  before: Copy,
  action: string,
  moved: Moved,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  await trx.updateTable('copies').set(moved).where('id', '=', before.id).execute()
  const after = await getCopy(trx, before.id, exchange.sight)
  await journal(trx, exchange, { action, entity: 'copies', entity_id: before.id, before, after })
  return done(after)
}
