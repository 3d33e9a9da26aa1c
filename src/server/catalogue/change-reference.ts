import type { Reference } from '../../contract/catalogue.ts'
import type { changeReference as changeReferenceCall } from '../../contract/references.ts'
import type { Trx } from '../db/handles.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalled } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { setCodedFields } from './coded-fields.ts'
import { refuseFoundImage } from './found-images.ts'
import { findReferenceAlone, getReference } from './reference-queries.ts'
import { referenceColumns, referenceRefusal, setKeywords } from './write-reference.ts'

/** Changes only what the body names; a `version` that is no longer the reference's is refused. */
export async function changeReference(
  trx: Trx,
  { params, body }: VerbInput<typeof changeReferenceCall>,
  exchange: Exchange,
): Promise<Outcome<Reference>> {
  // The next statement reads, because this one does not see what it waited for.
  await ahead(trx, trx.selectFrom('references').select('id').where('id', '=', params.id).forNoKeyUpdate())
  const before = await findReferenceAlone(trx, params.id, exchange.visibility)
  if (!before) return noSuchReference
  const { version, ...sent } = body
  if (version !== undefined && version !== before.version) {
    return conflict(
      'CHANGED_SINCE',
      `«\u00a0${before.name}\u00a0» a été modifiée depuis que vous l’avez ouverte.`,
    )
  }
  const columns = referenceColumns(sent, before, exchange.today)
  const refusal = await referenceRefusal(trx, sent, columns, before)
  if (refusal) return refusal
  const unworded = sent.keywords ? await setKeywords(trx, before.id, sent.keywords, exchange) : null
  if (unworded) return unworded
  // Keywords and coded fields stand in rows of their own, and a change of theirs alone must give a new version too.
  if (Object.keys(sent).length > 0) {
    const changed = trx.updateTable('references').set({ name: before.name, ...columns })
    await ahead(trx, changed.where('id', '=', before.id))
  }
  if (sent.image === null) await refuseFoundImage(trx, before)
  const uncoded = await setCodedFields(trx, before.id, sent)
  if (uncoded) return uncoded
  const changed = await getReference(trx, before.id, exchange.visibility)
  const { copies: _, ...after } = changed
  // Its version changes even where nothing else does.
  if (told(before) === told(after)) return done(changed)
  await ahead(
    trx,
    journalled(trx, exchange, {
      action: 'references.change',
      entity: 'references',
      entity_id: before.id,
      before,
      after,
    }),
  )
  return done(changed)
}

const told = (reference: Reference): string => JSON.stringify({ ...reference, version: '' })

export const noSuchReference = notFound('Cette référence n’existe pas.')
