import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { addBeneficiary as addBeneficiaryCall } from '../../contract/beneficiary-changes.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { getBeneficiary } from './beneficiary-queries.ts'
import { beneficiaryRefusal } from './beneficiary-refusal.ts'
import { rememberEligibilityValues } from './eligibility-values.ts'
import { lockMatricules, nextMatricule } from './next-matricule.ts'
import { tellBeneficiary } from './tell-beneficiary.ts'

export async function addBeneficiary(
  trx: Trx,
  { body }: VerbInput<typeof addBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  const { matricule: typed, ...others } = body
  const entries = typed ? { ...others, matricule: typed } : others
  const refusal = await beneficiaryRefusal(trx, entries, { before: null, numberField: 'reader_id' }, exchange)
  if (refusal) return refusal
  await rememberEligibilityValues(trx, body)
  const { dossiers, ...rest } = others
  if (!typed) await lockMatricules(trx)
  const { id } = await trx
    .insertInto('beneficiaries')
    .values({
      ...rest,
      matricule: typed ?? (await nextMatricule(trx)),
      ...(dossiers ? { dossiers: [...new Set(dossiers)] } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = await getBeneficiary(trx, id, exchange.today)
  await journal(trx, exchange, {
    action: 'beneficiary.add',
    entity: 'beneficiaries',
    entity_id: id,
    after: row,
  })
  return done(tellBeneficiary(row, exchange.caller))
}
