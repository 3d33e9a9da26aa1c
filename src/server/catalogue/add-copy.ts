import type { Copy } from '../../contract/catalogue.ts'
import type { addCopy as addCopyCall } from '../../contract/copies.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome, type Refused, violation } from '../http/outcome.ts'
import { isSiteOpen, type Sight } from '../sight/sight.ts'
import { getCopy } from './copy-queries.ts'
import { takeNextBarCodes } from './next-bar-code.ts'
import { wantLabelsOf } from './want-labels.ts'
import { copyRefusal } from './write-copy.ts'

export async function addCopy(
  trx: Trx,
  { body }: VerbInput<typeof addCopyCall>,
  exchange: Exchange,
): Promise<Outcome<Copy>> {
  const { sight } = exchange
  const place = await placeOfNew(trx, body, sight)
  if (!place.ok) return place
  const { reference, site } = place.answer
  const refusal = await copyRefusal(trx, body, null, { reference: reference.id, sight })
  if (refusal) return refusal
  const given = body.bar_code === undefined ? await takeNextBarCodes(trx, site, 1) : done([body.bar_code])
  if (!given.ok) return given
  const { id } = await trx
    .insertInto('copies')
    .values({ type: reference.type, ...body, bar_code: given.answer[0]! })
    .returning('id')
    .executeTakeFirstOrThrow()
  await wantLabelsOf(trx, [id], exchange.now)
  const after = await getCopy(trx, id, sight)
  await journal(trx, exchange, { action: 'copies.add', entity: 'copies', entity_id: id, after })
  return done(after)
}

type Place = { reference: { id: number; type: Copy['type'] }; site: number }

/** The title and the site of new copies, which stay until the transaction ends. */
export async function placeOfNew(
  trx: Trx,
  body: { reference: number; site: number },
  sight: Sight,
): Promise<{ ok: true; answer: Place } | Refused> {
  const reference = await trx
    .selectFrom('references')
    .select(['id', 'type'])
    .where('id', '=', body.reference)
    .where('deleted_at', 'is', null)
    // A deletion of the reference waits, and then sees these copies.
    .forKeyShare()
    .executeTakeFirst()
  if (!reference) return violation('reference', 'Cette référence n’existe pas.')
  const site = await trx
    .selectFrom('sites')
    .select('id')
    .where('id', '=', body.site)
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!site || !isSiteOpen(sight, site.id)) return violation('site', 'Ce site n’existe pas.')
  return { ok: true, answer: { reference, site: site.id } }
}
