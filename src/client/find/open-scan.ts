import type { QueryClient } from '@tanstack/react-query'

import type { Symbology } from '../../domain/bar-code.ts'
import { findScan } from './find-scan.ts'
import { addressOfIsbn, finders } from './finders.ts'
import { isNobodysForSure, type ScannedCopy } from './found.ts'
import { addressOfCopy, addressOfLoan, type Has, hitOfReader } from './hits.ts'

const mayFind = (kind: 'reader' | 'copy', has: Has): boolean =>
  finders.some((finder) => finder.kind === kind && finder.may(has))

/** `to` is null when no screen shows what carries the code; `unknown` is one that may become a copy's. */
type Opened = { to: string | null; unknown: string | null }

export async function openScan(
  client: QueryClient,
  has: Has,
  code: string,
  symbology?: Symbology,
): Promise<Opened> {
  const found = await findScan(client, false, code, symbology)
  if (found.kind === 'copy') return { to: addressOfScanned(found.copy, has), unknown: null }
  if (found.kind === 'reader') {
    const to = mayFind('reader', has) ? hitOfReader(found.chosen.reader, has).to : null
    return { to, unknown: null }
  }
  const to = found.kind === 'isbn' && has('LIST_REFERENCES') ? await addressOfIsbn(found.code) : null
  return { to, unknown: isNobodysForSure(found) ? found.code : null }
}

function addressOfScanned({ loan, known }: ScannedCopy, has: Has): string | null {
  if (loan?.loan_id && has('LIST_LOANINGS')) return addressOfLoan(loan.loan_id)
  return known && mayFind('copy', has) ? addressOfCopy(known.copy.id) : null
}

/** Null unless a reader carries the code and the person may see readers. */
export async function addressOfScannedReader(
  client: QueryClient,
  has: Has,
  code: string,
  symbology?: Symbology,
): Promise<string | null> {
  if (!mayFind('reader', has)) return null
  const found = await findScan(client, false, code, symbology)
  return found.kind === 'reader' ? hitOfReader(found.chosen.reader, has).to : null
}
