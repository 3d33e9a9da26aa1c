import type { BeneficiaryChoice } from '../../contract/beneficiaries.ts'
import { fullName, ofName } from '../../domain/person-names.ts'
import { inWords } from '../page/house-words.ts'
import { inOneLine } from '../ui/in-one-line.ts'

type Born = Pick<BeneficiaryChoice, 'matricule'> & {
  /** The device does not know it. */
  birth_year?: number | null
}

/** Year of birth, then number: they tell a reader from their namesakes. */
export const readerWords = ({ birth_year, matricule }: Born): string =>
  inOneLine([birth_year ? `naissance en ${birth_year}` : null, matricule])

/** Whose relative somebody is. */
export const relativeOf = (reader: Pick<BeneficiaryChoice, 'firstname' | 'lastname'>): string =>
  `${inWords('Proche ')}${ofName(fullName(reader))}`
