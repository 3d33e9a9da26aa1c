import { addressOf } from '../ui/address-of.ts'

/** The list of loans under a reader's name. The number tells namesakes apart. */
export const addressOfReaderLoans = (matricule: string, name: string): string =>
  addressOf('/loanings', { 'benefsearchname|like': `${matricule} ${name}`.trim() })
