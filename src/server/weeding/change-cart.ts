import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  CartLine,
  CartScan,
  changeLine as changeLineCall,
  putInCart as putInCartCall,
  scanIntoCart as scanIntoCartCall,
  takeOut as takeOutCall,
} from '../../contract/weeding.ts'
import type { CartVerdict, WeedingStop } from '../../domain/weeding.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { accountName } from '../library-facts/person-names.ts'
import { visibleCopies, copyOpen, type Visibility } from '../visibility/visibility.ts'
import { linesOf } from './cart-queries.ts'
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
async function findRead(trx: Trx, codes: readonly string[], { visibility }: Exchange): Promise<Found | null> {
  const isHere = visibleCopies(visibility)
  const { rows } = await sql<Found>`
    select c.id, r.name, s.name as site_name, ${copyOpen(visibility)} as is_open, ${isHere} as is_here,
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

/** Of every site open to the person, whichever is chosen. */
const openCopies = ({ visibility }: { visibility: Visibility }) =>
  visibleCopies({ ...visibility, listed: visibility.open })

const noSuchLine = notFound('Cet exemplaire n’est pas dans le panier.')

/** Puts copies in once, whoever puts them; what is out of the library's hands is left. */
export async function putInCart(
  trx: Trx,
  { body }: VerbInput<typeof putInCartCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof putInCartCall>>> {
  const { rows } = await sql<{ id: number; out: boolean }>`
    select c.id, c.status in ('En Location', 'En transfert') as out from copies c
    where c.id = any(${body.copies}::int[]) and ${isInStock} and ${openCopies(exchange)} order by c.id`.execute(
    trx,
  )
  const ready = rows.filter(({ out }) => !out).map(({ id }) => id)
  const added = await insertLines(trx, ready, { why: body.why, is_scanned: false }, exchange)
  return done({
    added: added.length,
    already: ready.length - added.length,
    out: rows.length - ready.length,
  })
}

/** Answers those that were not in the cart yet. */
async function insertLines(
  trx: Trx,
  copies: readonly number[],
  { why, is_scanned }: { why: string; is_scanned: boolean },
  exchange: Exchange,
): Promise<number[]> {
  const { rows } = await sql<{ copy: number }>`
    insert into weeding_lines (copy, why, is_scanned, added_by, added_at)
    select one, ${why}, ${is_scanned}, ${exchange.caller.user_id}, ${exchange.now.toISOString()}
    from unnest(${[...copies]}::int[]) one
    on conflict (copy) where weeding is null do nothing returning copy`.execute(trx)
  const added = rows.map(({ copy }) => copy)
  if (added.length > 0) await journalCart(trx, exchange, 'weeding.put', { copies: added, why })
  return added
}

export async function changeLine(
  trx: Trx,
  { params: { id }, body: { reason } }: VerbInput<typeof changeLineCall>,
  exchange: Exchange,
): Promise<Outcome<CartLine>> {
  const { rows } = await sql`
    update weeding_lines k set reason = ${reason} from copies c
    where c.id = k.copy and k.weeding is null and c.id = ${id} and ${isInStock} and ${openCopies(exchange)}
    returning k.id`.execute(trx)
  if (rows.length === 0) return noSuchLine
  await journalCart(trx, exchange, 'weeding.change', { copies: [id], reason })
  const [line] = await linesOf(trx, [id], exchange.visibility)
  return line ? done(line) : noSuchLine
}

export async function takeOut(
  trx: Trx,
  { params: { id } }: VerbInput<typeof takeOutCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const { rows } = await sql`
    delete from weeding_lines k using copies c
    where c.id = k.copy and k.weeding is null and c.id = ${id} and ${openCopies(exchange)}
    returning k.id`.execute(trx)
  if (rows.length === 0) return noSuchLine
  await journalCart(trx, exchange, 'weeding.take_out', { copies: [id] })
  return done(null)
}

/** Of no record in particular, so that other devices fetch the cart again. */
const journalCart = (trx: Trx, exchange: Exchange, action: string, after: object) =>
  journal(trx, exchange, { action, entity: 'weeding', entity_id: null, before: null, after })
