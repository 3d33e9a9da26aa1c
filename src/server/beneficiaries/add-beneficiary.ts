import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { addBeneficiary as addBeneficiaryCall } from '../../contract/beneficiary-changes.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { beneficiaryRefusal } from './beneficiary-refusal.ts'
import { tellBeneficiary } from './tell-beneficiary.ts'
import { addReaders, entriesOf } from './write-beneficiaries.ts'

export async function addBeneficiary(
  trx: Trx,
  { body }: VerbInput<typeof addBeneficiaryCall>,
  exchange: Exchange,
): Promise<Outcome<Beneficiary>> {
  const asked = { entries: entriesOf(body), before: null }
  const refusal = await beneficiaryRefusal(trx, asked, 'reader_id', exchange)
  if (refusal) return refusal
  const [added] = await addReaders(trx, [body], exchange)
  return done(tellBeneficiary(added!, exchange.caller))
}
