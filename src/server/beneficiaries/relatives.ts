import type { AnswerOf } from '../../contract/endpoint.ts'
import type {
  addRelative as addRelativeCall,
  removeRelative as removeRelativeCall,
  updateRelative as updateRelativeCall,
} from '../../contract/beneficiary-changes.ts'
import type { Relative } from '../../contract/relatives.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { holdReader } from '../queue/lock-queue.ts'
import { findVisibleBeneficiary } from './beneficiary-queries.ts'
import { whyNumberTaken } from './reader-number.ts'

export async function addRelative(
  trx: Trx,
  { params, body }: VerbInput<typeof addRelativeCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof addRelativeCall>>> {
  await holdReader(trx, params.id)
  const reader = await findVisibleBeneficiary(trx, params.id, exchange)
  if (!reader) return notFound('Ce lecteur n’existe pas.')
  if (body.reader_id !== null) {
    const taken = await whyNumberTaken(trx, body.reader_id, null, exchange.visibility)
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
  return done(serializeRelative(added))
}

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
  if (!before || !(await findVisibleBeneficiary(trx, before.beneficiary, exchange)))
    return notFound('Ce proche n’existe pas.')
  if (body.was !== undefined && body.was !== before.reader_id) {
    const now = before.reader_id === null ? 'a été ôté' : `est devenu ${before.reader_id}`
    return conflict('CHANGED_SINCE', `Entre-temps, le numéro de ${fullName(before)} ${now}.`)
  }
  if (body.number !== null && body.number !== before.reader_id) {
    const taken = await whyNumberTaken(trx, body.number, { relative: before.id }, exchange.visibility)
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
  return done(serializeRelative(after))
}

type RelativeRow = { id: number; lastname: string; firstname: string; reader_id: string | null }

function serializeRelative({ id, lastname, firstname, reader_id }: RelativeRow): Relative {
  const name = fullName({ lastname, firstname })
  return { '@id': `/api/relatives/${id}`, '@type': 'Relative', id, name, text: name, reader_id }
}

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
  if (!before || !(await findVisibleBeneficiary(trx, params.id, exchange)))
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
