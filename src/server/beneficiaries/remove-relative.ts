import type { removeRelative as removeRelativeCall } from '../../contract/relatives.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { findBeneficiaryInSight } from './beneficiary-queries.ts'

/** Takes a relative from a reader; their ended loans keep the name. */
export async function removeRelative(
  trx: Trx,
  { params }: VerbInput<typeof removeRelativeCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await trx
    .selectFrom('relatives')
    .select(['id', 'beneficiary', 'lastname', 'firstname', 'reader_id'])
    .where('id', '=', params.relative)
    .where('beneficiary', '=', params.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!before || !(await findBeneficiaryInSight(trx, params.id, exchange)))
    return notFound('Ce proche n’existe pas.')
  const { open } = await trx
    .selectFrom('loanings')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('relative', '=', before.id)
    .where('status', '=', 'in_progress')
    .executeTakeFirstOrThrow()
  if (open > 0) {
    const loans = open === 1 ? 'un prêt en cours' : `${open} prêts en cours`
    return conflict(
      'RELATIVE_BORROWS',
      `${fullName(before)} a ${loans}\u202f: enregistrez d’abord ${open === 1 ? 'son retour' : 'leur retour'}.`,
    )
  }
  await trx
    .updateTable('relatives')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', before.id)
    .execute()
  await journal(trx, exchange, {
    action: 'relative.remove',
    entity: 'relatives',
    entity_id: before.id,
    before,
  })
  return done(null)
}
