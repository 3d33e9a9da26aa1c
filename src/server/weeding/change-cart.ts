import { sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  CartLine,
  changeLine as changeLineCall,
  putInCart as putInCartCall,
  takeOut as takeOutCall,
} from '../../contract/weeding.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { copiesInSight, type Sight } from '../sight/sight.ts'
import { linesOf } from './cart-queries.ts'
import { isInStock } from './weeding-facts.ts'

/** Of every site open to the person, whichever is chosen. */
export const openCopies = ({ sight }: { sight: Sight }) => copiesInSight({ ...sight, listed: sight.open })

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
export async function insertLines(
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
  if (added.length > 0) await tell(trx, exchange, 'weeding.put', { copies: added, why })
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
  await tell(trx, exchange, 'weeding.change', { copies: [id], reason })
  const [line] = await linesOf(trx, [id], exchange.sight)
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
  await tell(trx, exchange, 'weeding.take_out', { copies: [id] })
  return done(null)
}

/** Of no record in particular, so that other devices fetch the cart again. */
const tell = (trx: Trx, exchange: Exchange, action: string, after: object) =>
  journal(trx, exchange, { action, entity: 'weeding', entity_id: null, before: null, after })
