import type { QueryClient } from '@tanstack/react-query'

import { listLoans } from '../../contract/loans.ts'
import { readerName } from '../../domain/person-names.ts'
import { listUnsettled } from '../../offline/outbox.ts'
import { call } from '../api/call.ts'
import { serverFirst } from '../api/server-first.ts'
import { mediaQuery } from '../catalogue/catalogue-data.ts'
import type { ScannedCopy } from '../find/found.ts'
import { type HeldLoan, heldOfServer, notReturning } from '../loans/held-loan.ts'

/** A copy's open loan or null, at whatever site; the server is asked where the device knows none. */
export async function findHeldLoan(client: QueryClient, copy: ScannedCopy): Promise<HeldLoan | null> {
  const found =
    heldByDevice(copy) ??
    (await serverFirst(
      () => askServer(client, copy),
      () => Promise.resolve(null),
    ))
  // The server has not heard yet of what waits to be sent, and a device that is not ready knows its word alone.
  const [loan] = notReturning(found ? [found] : [], await listUnsettled())
  return loan ?? null
}

function heldByDevice({ loan, known }: ScannedCopy): HeldLoan | null {
  if (!loan) return null
  const beneficiary_name = known?.borrower ? readerName(known.borrower) : ''
  return { ...loan, beneficiary_name, copy_state: known?.copy.state ?? null }
}

async function askServer(client: QueryClient, { bar_code, known }: ScannedCopy): Promise<HeldLoan | null> {
  const [page, media] = await Promise.all([
    call(listLoans, {
      list: {
        limit: 1,
        filters: [
          known
            ? { field: 'copy', operator: 'eq', value: known.copy.id }
            : { field: 'copy_barcode', operator: 'eq', value: bar_code },
          { field: 'status', operator: 'eq', value: 'in_progress' },
        ],
      },
      site: 0,
    }),
    client.ensureQueryData(mediaQuery),
  ])
  const [loan] = page['hydra:member']
  return loan ? heldOfServer(loan, media['hydra:member']) : null
}
