import type { QueryClient } from '@tanstack/react-query'

import { listLoans } from '../../contract/loans.ts'
import { readerName } from '../../domain/person-names.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import type { ScannedCopy } from '../find/found.ts'
import { type HeldLoan, heldOfServer } from '../loans/held-loan.ts'

/** A copy's open loan or null; the server is asked where the device knows none. */
export const findHeldLoan = async (client: QueryClient, copy: ScannedCopy): Promise<HeldLoan | null> =>
  heldByDevice(copy) ??
  (copy.known &&
    serverFirst(
      () => askServer(client, copy.known?.copy.id ?? 0),
      () => Promise.resolve(null),
    ))

function heldByDevice({ loan, known }: ScannedCopy): HeldLoan | null {
  if (!loan) return null
  const beneficiary_name = known?.borrower ? readerName(known.borrower) : ''
  return { ...loan, beneficiary_name, copy_state: known?.copy.state ?? null }
}

async function askServer(client: QueryClient, copy: number): Promise<HeldLoan | null> {
  const [page, media] = await Promise.all([
    call(listLoans, {
      list: {
        limit: 1,
        filters: [
          { field: 'copy', operator: 'eq', value: copy },
          { field: 'status', operator: 'eq', value: 'in_progress' },
        ],
      },
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const [loan] = page['hydra:member']
  return loan ? heldOfServer(loan, media['hydra:member']) : null
}
