import type { updateBeneficiary as updateBeneficiaryCall } from '../../contract/beneficiaries.ts'
import type { Trx } from '../db/environment.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden, violation } from '../http/outcome.ts'
import { whoHasReaderNumber } from './reader-number.ts'

type Entries = VerbInput<typeof updateBeneficiaryCall>['body']

/** Why these entries may not be a beneficiary's (`id`: null for a new one), or null. */
export async function beneficiaryRefusal(
  trx: Trx,
  entries: Entries,
  { id, numberField }: { id: number | null; numberField: 'reader_id' | 'number' },
  { caller }: Exchange,
) {
  // Whoever may not read a field may not overwrite it unseen.
  if (
    (entries.email !== undefined || entries.phone !== undefined) &&
    !caller.rights.has('BENEFICIARY_CONTACT')
  ) {
    return forbidden('Vous n’avez pas le droit de changer le courriel et le téléphone.')
  }
  if (entries.address !== undefined && !caller.rights.has('BENEFICIARY_ADDRESS')) {
    return forbidden('Vous n’avez pas le droit de changer l’adresse postale.')
  }
  if (entries.matricule !== undefined) {
    const taken = await trx
      .selectFrom('beneficiaries')
      .select(['lastname', 'firstname'])
      .where('matricule', '=', entries.matricule)
      .where('deleted_at', 'is', null)
      .where('id', '<>', id ?? 0)
      .executeTakeFirst()
    if (taken) {
      const name = `${taken.lastname} ${taken.firstname}`.trimEnd()
      return violation('matricule', `Le matricule ${entries.matricule} est déjà celui de ${name}.`)
    }
  }
  if (entries.reader_id) {
    const taken = await whoHasReaderNumber(trx, entries.reader_id, id === null ? null : { beneficiary: id })
    if (taken) return violation(numberField, taken)
  }
  if (entries.agency_id) {
    const site = await trx
      .selectFrom('sites')
      .select('id')
      .where('id', '=', entries.agency_id)
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!site) return violation('agency_id', 'Cette agence n’existe pas.')
  }
  return null
}
