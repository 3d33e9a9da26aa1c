import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type {
  addBeneficiary as addBeneficiaryCall,
  updateBeneficiary as updateBeneficiaryCall,
} from '../../contract/beneficiary-changes.ts'
import { fullName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { findVisibleBeneficiary } from './beneficiary-queries.ts'
import { beneficiaryRefusal } from './beneficiary-refusal.ts'
import { serializeBeneficiary } from './serialize-beneficiary.ts'
import { addReaders, changeReaders, entriesOf } from './write-beneficiaries.ts'

export async function addBeneficiary(
  trx: Trx,
  { body }: VerbInput<typeof addBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  const asked = { entries: entriesOf(body), before: null }
  const refusal = await beneficiaryRefusal(trx, asked, 'reader_id', exchange)
  if (refusal) return refusal
  const [added] = await addReaders(trx, [body], exchange)
  return done(serializeBeneficiary(added!, exchange.caller))
}

/** Changes only what the body names, of no `version` but the reader's; `number` is the reader number by another name of the wire. */
export async function updateBeneficiary(
  trx: Trx,
  { params, body }: VerbInput<typeof updateBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('beneficiaries').select('id').where('id', '=', params.id).forNoKeyUpdate().execute()
  const before = await findVisibleBeneficiary(trx, params.id, exchange)
  if (!before) return notFound('Ce lecteur n’existe pas.')

  const { number, version, ...rest } = body
  if (version !== undefined && version !== before.version) {
    return conflict(
      'CHANGED_SINCE',
      `La fiche de ${fullName(before)} a été modifiée depuis que vous l’avez ouverte.`,
    )
  }
  if (number !== undefined && rest.reader_id !== undefined && number !== rest.reader_id) {
    return violation(
      'number',
      '«\u00a0number\u00a0» et «\u00a0reader_id\u00a0» sont deux noms du même numéro de lecteur.',
    )
  }
  const entries = number === undefined ? rest : { ...rest, reader_id: number }
  const numberField = number === undefined ? 'reader_id' : 'number'
  const refusal = await beneficiaryRefusal(trx, { entries, before }, numberField, exchange)
  if (refusal) return refusal
  if (Object.keys(entries).length === 0) return done(serializeBeneficiary(before, exchange.caller))
  const [after] = await changeReaders(trx, [{ before, entries }], exchange)
  return done(serializeBeneficiary(after!, exchange.caller))
}
