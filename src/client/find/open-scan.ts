import type { QueryClient } from '@tanstack/react-query'

import type { Symbology } from '../../domain/bar-code.ts'
import { findScan } from './find-scan.ts'
import { addressOfCopy, addressOfLoan, finders, type Has, hitOfReader } from './finders.ts'

const mayFind = (kind: 'copy' | 'reader', has: Has): boolean =>
  finders.some((finder) => finder.kind === kind && finder.may(has))

/** Null for an unknown code, or when no screen shows what carries it. */
export async function addressOfScan(
  client: QueryClient,
  has: Has,
  code: string,
  symbology?: Symbology,
): Promise<string | null> {
  const found = await findScan(client, false, code, symbology)
  if (found.kind === 'reader' && mayFind('reader', has)) return hitOfReader(found.chosen.reader, has).to
  if (found.kind !== 'copy') return null
  const { loan, known } = found.copy
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
