import type { Exchange } from '../http/exchange.ts'
import { forbidden, type Refused } from '../http/outcome.ts'
import { areAllReadersOpen, visibilityOf } from '../visibility/visibility.ts'

const needed = ['BENEFICIARY_EDIT', 'BENEFICIARY_CONTACT', 'BENEFICIARY_ADDRESS'] as const

/** Its readers are of every site: whoever some are hidden from neither asks for it nor reads what it did. */
export const syncRefusal = ({ caller, visibility }: Exchange): Refused | null =>
  caller.rights.has('PARAMETER_SYNCRONIZE') && areAllReadersOpen(visibility)
    ? null
    : forbidden('La synchronisation touche les lecteurs de tous les sites\u202f: il faut les avoir tous.')

/** The person chooses neither what comes nor where it goes, and so needs no right to each of these readers. */
export function ofWholeLibrary(exchange: Exchange): Exchange {
  const rights = new Set([...exchange.caller.rights, ...needed])
  const caller = { ...exchange.caller, rights, sites: [] }
  return { ...exchange, caller, site: null, visibility: visibilityOf(caller, null, exchange) }
}
