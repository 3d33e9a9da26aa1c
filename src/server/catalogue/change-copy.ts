import { sql } from 'kysely'

import type { Copy } from '../../contract/catalogue.ts'
import type { changeCopy as changeCopyCall } from '../../contract/copies.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { isOut, outWords } from '../../domain/copies-out.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import {
  conflict,
  done,
  forbidden,
  notFound,
  type Outcome,
  type Refused,
  violation,
} from '../http/outcome.ts'
import { releaseCopy } from '../queue/lock-queue.ts'
import { isSiteOpen, type Visibility } from '../visibility/visibility.ts'
import { findCopy, getCopy } from './copy-queries.ts'
import { copyRefusal, wantLabelsOf } from './write-copy.ts'

const atHome = { status: 'Disponible', sent_from: null, sent_at: null } as const

/** Sends a locked copy to another site, whose it is from now on; or takes one back that has not arrived. */
async function sendCopy(trx: Trx, copy: Copy, site: number, exchange: Exchange): Promise<Outcome<Copy>> {
  if (copy.sent_from?.id === site && isSiteOpen(exchange.visibility, site)) {
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
const receiveCopy = (trx: Trx, copy: Copy, exchange: Exchange): Promise<Outcome<Copy>> =>
  move(trx, copy, 'copies.receive', atHome, exchange)

/** Where it is sent from: its site or, on its way home, the counter that took it back for that site. */
const standsAt = ({ site: home }: Copy, site: number, { site: here, visibility }: Exchange): number =>
  site === home && here !== null && isSiteOpen(visibility, here) ? here : home

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
  const after = await getCopy(trx, before.id, exchange.visibility)
  await journal(trx, exchange, { action, entity: 'copies', entity_id: before.id, before, after })
  return done(after)
}

type Body = VerbInput<typeof changeCopyCall>['body']

/** Changes only what the body names: `site` sends the copy there, `status` of one under way receives it. */
export async function changeCopy(
  trx: Trx,
  { params, body }: VerbInput<typeof changeCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const { visibility } = exchange
  const { site, ...words } = body
  const copy = await (site === undefined
    ? lockVisibleCopy(trx, params.id, visibility)
    : lockCopyToSend(trx, params.id, { site, exchange }))
  if (!copy) return noSuchCopy
  const isReceived = words.status === 'Disponible' && copy.status_name === 'En transfert'
  // Somebody else confirmed it a moment ago: that it is there is all that was to be said.
  if (isThereAlready(body, copy) && mayChange(body, true, visibility)) return done(copy)
  if (!mayChange(body, isReceived, visibility)) return forbidden()
  if (site !== undefined) {
    return Object.keys(words).length > 0
      ? violation('site', 'Un transfert se demande seul, sans autre changement.')
      : sendCopy(trx, copy, site, exchange)
  }
  if (!isReceived) return writeWords(trx, copy, words, exchange)
  const { status: _, ...others } = words
  if (Object.keys(others).length === 0) return receiveCopy(trx, copy, exchange)
  const written = await writeWords(trx, copy, others, exchange)
  return written.ok ? receiveCopy(trx, written.answer, exchange) : written
}

const isThereAlready = (body: Body, { status_name }: Copy): boolean =>
  body.status === 'Disponible' && status_name === 'Disponible' && Object.keys(body).length === 1

/** Sending is one right, receiving either of two, and all that a copy says of itself a third. */
function mayChange({ site, status, ...others }: Body, isReceived: boolean, { rights }: Visibility): boolean {
  if (site !== undefined && !rights.has('COPY_TRANSFER')) return false
  if (isReceived && !rights.has('COPY_TRANSFER') && !rights.has('LIST_TRANSFERS')) return false
  const isMoveAlone = (site !== undefined && status === undefined) || isReceived
  return (isMoveAlone && Object.keys(others).length === 0) || rights.has('COPY_MODIFY')
}

/** The same without transfers, for what is done to many at once: `status` is refused while it is out. */
export async function writeCopy(
  trx: Trx,
  id: number,
  body: Omit<Body, 'site'>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const before = await lockVisibleCopy(trx, id, exchange.visibility)
  return before ? writeWords(trx, before, body, exchange) : noSuchCopy
}

async function writeWords(
  trx: Trx,
  before: Copy,
  body: Omit<Body, 'site'>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const { visibility } = exchange
  const refusal = await copyRefusal(trx, body, before, { reference: before.reference, visibility })
  if (refusal) return refusal
  const stays = body.status && whyAsItIs(before)
  if (stays) {
    return conflict(
      'COPY_UNAVAILABLE',
      `«\u00a0${before.name}\u00a0» ${stays}\u202f: sa disponibilité ne se change pas.`,
    )
  }
  if (Object.keys(body).length === 0) return done(before)
  await trx.updateTable('copies').set(body).where('id', '=', before.id).execute()
  if (body.type === 'Vente' && before.type !== 'Vente') await releaseCopy(trx, before)
  const after = await getCopy(trx, before.id, visibility)
  if (after.bar_code !== before.bar_code) await wantLabelsOf(trx, [before.id], exchange.now)
  await journal(trx, exchange, {
    action: 'copies.change',
    entity: 'copies',
    entity_id: before.id,
    before,
    after,
  })
  return done(after)
}

/** Why a copy is neither lent nor not to be lent: it is in somebody else's hands. */
const whyAsItIs = ({ status_name, sold_on }: Pick<Copy, 'status_name' | 'sold_on'>): string | null => {
  if (sold_on !== null) return `a été vendu le ${frenchDay(sold_on)}`
  return isOut(status_name) ? `est ${outWords[status_name]}` : null
}

export const noSuchCopy = notFound('Cet exemplaire n’existe pas.')

/** A copy that is not withdrawn, of a site open to the caller, locked until the transaction ends. */
export async function lockVisibleCopy(trx: Trx, id: number, visibility: Visibility): Promise<Copy | null> {
  const copy = await lockCopy(trx, id, visibility)
  return copy && isSiteOpen(visibility, copy.site) ? copy : null
}

/** Or one on its way from such a site, or that the caller took back here for another and now sends home. */
async function lockCopyToSend(
  trx: Trx,
  id: number,
  { site, exchange: { visibility, caller, now } }: { site: number; exchange: Exchange },
): Promise<Copy | null> {
  const copy = await lockCopy(trx, id, visibility)
  if (!copy) return null
  if (isSiteOpen(visibility, copy.site) || isSiteOpen(visibility, copy.sent_from?.id ?? null)) return copy
  return site === copy.site && (await wasTakenBackBy(trx, id, caller.user_id, now)) ? copy : null
}

/** How long what came back may lie at the counter before it is sent home. */
const lyingMs = 24 * 3600_000

async function wasTakenBackBy(trx: Trx, copy: number, user: number, now: Date): Promise<boolean> {
  const last = await trx
    .selectFrom('loanings')
    .select(['returned_by', 'returned_received_at'])
    .where('copy', '=', copy)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const at = last?.returned_by === user ? last.returned_received_at : null
  return at !== null && at !== undefined && now.getTime() - Date.parse(at) < lyingMs
}

async function lockCopy(trx: Trx, id: number, visibility: Visibility): Promise<Copy | null> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('copies').select('id').where('id', '=', id).forUpdate().execute()
  return findCopy(trx, id, visibility)
}
