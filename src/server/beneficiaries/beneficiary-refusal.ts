import type { updateBeneficiary as updateBeneficiaryCall } from '../../contract/beneficiary-changes.ts'
import { fullName, ofName } from '../../domain/person-names.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { forbidden, violation } from '../http/outcome.ts'
import { isReaderOpen, isSiteOpen } from '../sight/sight.ts'
import type { BeneficiaryRow } from './beneficiary-queries.ts'
import { lockMatricules } from './next-matricule.ts'
import { whyNumberTaken } from './reader-number.ts'

type Entries = VerbInput<typeof updateBeneficiaryCall>['body']

/** Why a beneficiary may not have these entries, or null; `before` is null for a new one. */
export async function beneficiaryRefusal(
  trx: Trx,
  entries: Entries,
  {
    before,
    numberField,
  }: {
    before: Pick<BeneficiaryRow, 'id' | 'agency_id' | 'reader_id'> | null
    numberField: 'reader_id' | 'number'
  },
  { caller, sight, today }: Exchange,
) {
  // Nobody may overwrite unseen a field that they may not read.
  if (
    (entries.email !== undefined || entries.phone !== undefined) &&
    !caller.rights.has('BENEFICIARY_CONTACT')
  ) {
    return forbidden('Vous n’avez pas le droit de changer le courriel et le téléphone.')
  }
  if (
    (entries.address !== undefined || entries.commune !== undefined) &&
    !caller.rights.has('BENEFICIARY_ADDRESS')
  ) {
    return forbidden('Vous n’avez pas le droit de changer l’adresse.')
  }
  if (entries.matricule !== undefined) {
    await lockMatricules(trx)
    const taken = await trx
      .selectFrom('beneficiaries')
      .select(['lastname', 'firstname', 'agency_id'])
      .where('matricule', '=', entries.matricule)
      .where('deleted_at', 'is', null)
      .where('id', '<>', before?.id ?? 0)
      .executeTakeFirst()
    if (taken) {
      const who = isReaderOpen(sight, taken.agency_id)
        ? ofName(fullName(taken))
        : 'd’un lecteur d’un autre site'
      return violation('matricule', `Le matricule ${entries.matricule} est déjà celui ${who}.`)
    }
  }
  if (entries.birth_year && entries.birth_year > Number(today.slice(0, 4))) {
    return violation('birth_year', 'Cette année de naissance n’est pas encore venue.')
  }
  if (entries.reader_id && entries.reader_id !== before?.reader_id) {
    const holder = before && { beneficiary: before.id }
    const taken = await whyNumberTaken(trx, entries.reader_id, holder, sight)
    if (taken) return violation(numberField, taken)
  }
  // A reader of a site that is closed to the caller keeps it when a form says it again.
  if (entries.agency_id && entries.agency_id !== before?.agency_id) {
    const site = await trx
      .selectFrom('sites')
      .select('id')
      .where('id', '=', entries.agency_id)
      .where('enabled', '=', true)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!site || !isSiteOpen(sight, site.id)) return violation('agency_id', 'Cette agence n’existe pas.')
  }
  return null
}
