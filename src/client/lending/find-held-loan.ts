import type { QueryClient } from '@tanstack/react-query'

import { listLoans } from '../../contract/loans.ts'
import { writtenForms } from '../../domain/bar-code.ts'
import { readerName } from '../../domain/person-names.ts'
import { findLentHere } from '../../offline/counter.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import { findCounterCopy, findScannedCopy } from '../catalogue/copy-data.ts'
import { type HeldLoan, heldOfServer } from '../loans/held-loan.ts'

/** The open loan of a copy put on the counter, or why there is none. `unknown`: no copy carries that code. */
export type FoundHeld =
  { kind: 'held'; loan: HeldLoan } | { kind: 'refused'; message: string } | { kind: 'unknown' }

/** Finds by bar code the loan to take back, on line or off. */
export const findHeldLoan = (client: QueryClient, bar_code: string): Promise<FoundHeld> =>
  serverFirst(
    () => askServer(client, bar_code),
    () => askDevice(bar_code),
  )

async function askServer(client: QueryClient, bar_code: string): Promise<FoundHeld> {
  const copy = await findCounterCopy(client, bar_code)
  if (!copy) return { kind: 'unknown' }
  const [page, media] = await Promise.all([
    call(listLoans, {
      list: {
        limit: 1,
        filters: [
          { field: 'copy', operator: 'eq', value: copy.id },
          { field: 'status', operator: 'eq', value: 'in_progress' },
        ],
      },
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const [loan] = page['hydra:member']
  if (loan) return { kind: 'held', loan: heldOfServer(loan, media['hydra:member']) }
  // Lent off line and not told yet: the device knows better.
  const kept = await findLentHere(copy.bar_code)
  return kept ? { kind: 'held', loan: { ...kept, ...unknownReader } } : notLent(copy.name, copy.status)
}

const unknownReader = { beneficiary_name: '', copy_state: null }

async function askDevice(bar_code: string): Promise<FoundHeld> {
  const known = await findScannedCopy(bar_code)
  if (!known) {
    for (const form of writtenForms(bar_code)) {
      const kept = await findLentHere(form)
      if (kept) return { kind: 'held', loan: { ...kept, ...unknownReader } }
    }
    return { kind: 'unknown' }
  }
  const { copy, loan, borrower } = known
  if (!loan) return notLent(copy.name, copy.status)
  const beneficiary_name = borrower ? readerName(borrower) : ''
  return { kind: 'held', loan: { ...loan, beneficiary_name, copy_state: copy.state } }
}

const notLent = (name: string, status: string): FoundHeld => ({
  kind: 'refused',
  message: `«\u00a0${name}\u00a0» n’est pas en prêt (${status}).`,
})
