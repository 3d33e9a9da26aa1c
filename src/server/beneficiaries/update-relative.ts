import type { AnswerOf } from '../../contract/endpoint.ts'
import type { updateRelative as updateRelativeCall } from '../../contract/relatives.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { findBeneficiaryInSight } from './beneficiary-queries.ts'
import { whyNumberTaken } from './reader-number.ts'
import { tellRelative } from './tell-relative.ts'

export async function updateRelative(
  trx: Trx,
  { params, body }: VerbInput<typeof updateRelativeCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof updateRelativeCall>>> {
  const before = await trx
    .selectFrom('relatives')
    .select(['id', 'beneficiary', 'lastname', 'firstname', 'reader_id'])
    .where('id', '=', params.id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!before || !(await findBeneficiaryInSight(trx, before.beneficiary, exchange)))
    return notFound('Ce proche n’existe pas.')
  if (body.number !== null && body.number !== before.reader_id) {
    const taken = await whyNumberTaken(trx, body.number, { relative: before.id }, exchange.sight)
    if (taken) return violation('number', taken)
  }
  await trx.updateTable('relatives').set({ reader_id: body.number }).where('id', '=', before.id).execute()
  const after = { ...before, reader_id: body.number }
  await journal(trx, exchange, {
    action: 'relative.update',
    entity: 'relatives',
    entity_id: before.id,
    before,
    after,
  })
  return done(tellRelative(after))
}
