import type { Reference } from '../../contract/catalogue.ts'
import type { addReference as addReferenceCall } from '../../contract/references.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { setCodedFields } from './coded-fields.ts'
import { getReference } from './reference-queries.ts'
import { referenceColumns, referenceRefusal, setKeywords } from './write-reference.ts'

export async function addReference(
  trx: Trx,
  { body }: VerbInput<typeof addReferenceCall>,
  exchange: Exchange,
): Promise<Outcome<Reference>> {
  const columns = { ...referenceColumns(body, null, exchange.today), name: body.name }
  const refusal = await referenceRefusal(trx, { ...columns, image: body.image }, null)
  if (refusal) return refusal
  const { id } = await trx.insertInto('references').values(columns).returning('id').executeTakeFirstOrThrow()
  const unworded = await setKeywords(trx, id, body.keywords ?? [], exchange)
  if (unworded) return unworded
  const uncoded = await setCodedFields(trx, id, body)
  if (uncoded) return uncoded
  const after = await getReference(trx, id, exchange.sight)
  await journal(trx, exchange, { action: 'references.add', entity: 'references', entity_id: id, after })
  return done(after)
}
