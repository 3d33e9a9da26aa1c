import { sql } from 'kysely'

import type {
  changeReferenceField as changeReferenceFieldCall,
  ReferenceFieldItem,
} from '../../contract/reference-fields.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { referenceFieldRows } from './list-rows.ts'

/** What references hold in a field stays there, whatever it is called and whether it is shown. */
export async function changeReferenceField(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof changeReferenceFieldCall>,
  exchange: Exchange,
): Promise<Outcome<ReferenceFieldItem>> {
  await sql`select from reference_fields where id = ${id} for update`.execute(trx)
  const before = await referenceFieldRows.find(trx, id)
  if (!before) return notFound('Ce champ n’existe pas.')
  const { traduction = before.traduction, disabled = before.disabled } = body
  if (traduction === before.traduction && disabled === before.disabled) return done(before)
  const changed = { traduction, disabled, date_update: exchange.now.toISOString() }
  await trx.updateTable('reference_fields').set(changed).where('id', '=', id).execute()
  const after = { ...before, ...changed }
  await journal(trx, exchange, {
    action: 'reference_fields.change',
    entity: 'reference_fields',
    entity_id: id,
    before,
    after,
  })
  return done(after)
}
