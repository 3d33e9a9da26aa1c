import { addressOf } from '../ui/address-of.ts'

/** A reader's own page; `part` is one of its tabs. */
export const addressOfReader = (id: number, part?: string): string =>
  part === undefined ? `/beneficiaries/view/${id}` : addressOf(`/beneficiaries/view/${id}`, { part })

/** The list of loans under a reader's name. The number tells namesakes apart. */
export const addressOfReaderLoans = (matricule: string, name: string): string =>
  addressOf('/loanings', { 'benefsearchname|like': `${matricule} ${name}`.trim() })
