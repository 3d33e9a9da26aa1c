import type { Sale } from '../../contract/sales.ts'
import { isReaderOpen, readerElsewhere, type Sight } from '../sight/sight.ts'

/** A sale as it is kept; it is no answer before it is decided what may be told of its reader. */
export type StoredSale = Omit<Sale, '@id' | '@type'> & { agency_id: number | null }

export function tellSale(sight: Sight, { agency_id, ...sale }: StoredSale): Sale {
  const named = { '@id': `/api/sales/${sale.id}`, '@type': 'Sale', ...sale } as const
  return sale.beneficiary === null || isReaderOpen(sight, agency_id)
    ? named
    : { ...named, beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere, relative: null }
}
