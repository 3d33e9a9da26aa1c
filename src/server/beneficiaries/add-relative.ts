import type { AnswerOf } from '../../contract/endpoint.ts'
import type { addRelative as addRelativeCall } from '../../contract/relatives.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { holdReader } from '../queue/lock-queue.ts'
import { findBeneficiaryInSight } from './beneficiary-queries.ts'
import { whyNumberTaken } from './reader-number.ts'
import { tellRelative } from './tell-relative.ts'

export async function addRelative(
  trx: Trx,
  { params, body }: VerbInput<typeof addRelativeCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof addRelativeCall>>> {
  await holdReader(trx, params.id)
  const reader = await findBeneficiaryInSight(trx, params.id, exchange)
  if (!reader) return notFound('Ce lecteur n’existe pas.')
  if (body.reader_id !== null) {
    const taken = await whyNumberTaken(trx, body.reader_id, null, exchange.sight)
    if (taken) return violation('reader_id', taken)
  }
  const { firstname, reader_id } = body
  const lastname = body.lastname === '' ? reader.lastname : body.lastname
  const added = await trx
    .insertInto('relatives')
    .values({ beneficiary: reader.id, lastname, firstname, reader_id })
    .returning(['id', 'beneficiary', 'lastname', 'firstname', 'reader_id'])
    .executeTakeFirstOrThrow()
  await journal(trx, exchange, {
    action: 'relative.add',
    entity: 'relatives',
    entity_id: added.id,
    after: added,
  })
  return done(tellRelative(added))
}
