import type { Beneficiary } from '../../contract/beneficiaries.ts'
import type { Caller } from '../visibility/caller.ts'
import type { BeneficiaryRow } from './beneficiary-queries.ts'

/** `matricule - lastname firstname`, with a reader number if any. */
export function beneficiaryLabel({
  matricule,
  lastname,
  firstname,
  reader_id,
}: Pick<BeneficiaryRow, 'matricule' | 'lastname' | 'firstname' | 'reader_id'>): string {
  const name = `${matricule} - ${lastname} ${firstname}`.trimEnd()
  return reader_id === null ? name : `${name} - ${reader_id}`
}

// Libraries name additional fields as they like, so contacts and addresses are recognised by their words.
const contactNames = /mail|courriel|electronique|\btel\b|phone|mobile|portable/
const addressNames = /adresse|address|postal|ville|city|commune/

/** A beneficiary without the fields that the caller has no right to. */
export function serializeBeneficiary(row: BeneficiaryRow, { rights }: Pick<Caller, 'rights'>): Beneficiary {
  const { email, phone, address, commune, ...open } = row
  const mayContact = rights.has('BENEFICIARY_CONTACT')
  const mayAddress = rights.has('BENEFICIARY_ADDRESS')
  return {
    '@id': `/api/beneficiaries/${row.id}`,
    '@type': 'Beneficiary',
    ...open,
    label: beneficiaryLabel(row),
    displayed: row.displayed.filter(({ name }) => {
      const folded = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      if (contactNames.test(folded)) return mayContact
      return mayAddress || !addressNames.test(folded)
    }),
    ...(mayContact ? { email, phone } : {}),
    ...(mayAddress ? { address, commune } : {}),
  }
}
