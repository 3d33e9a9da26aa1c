import type { exportSales as exportSalesCall } from '../../contract/sale-exports.ts'
import type { Sale } from '../../contract/sales.ts'
import { type AccountingCodes, withAccountingCodes } from '../library-facts/accounting-codes.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import type { ServedFile } from '../http/served-file.ts'
import { everySale, serializeSale } from './sale-queries.ts'

/** All sales of a list as a file, in its order. */
export function exportSales(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportSalesCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { visibility } = exchange
  async function* rows(chosen: readonly KeyedColumn<ExportedSale>[]) {
    for await (const sales of everySale(reads, list, visibility)) {
      const told = sales.map((sale) => serializeSale(visibility, sale))
      yield await withAccountingCodes(reads, 'sales', { rows: told, columns: chosen })
    }
  }
  return listFile(reads, query, exchange, { holds: 'ventes', title: 'Ventes', columns, rows })
}

type ExportedSale = Sale & AccountingCodes

const columns: KeyedColumn<ExportedSale>[] = [
  { key: 'beneficiary', title: 'Lecteur', width: 30, kind: 'text', value: 'beneficiary_name' },
  {
    key: 'relative',
    title: 'Membre de la famille',
    width: 22,
    kind: 'text',
    value: ({ relative }) => relative?.name ?? null,
  },
  { key: 'reference', title: 'Référence', width: 40, kind: 'text', value: 'reference_name' },
  { key: 'bar_code', title: 'Code-barres', width: 14, kind: 'text', value: 'copy_barcode' },
  { key: 'category', title: 'Catégorie', width: 18, kind: 'text', value: 'category' },
  { key: 'medium', title: 'Support', width: 16, kind: 'text', value: 'medium' },
  { key: 'site', title: 'Site', width: 18, kind: 'text', value: 'site_name' },
  { key: 'date', title: 'Date', width: 12, kind: 'day', value: 'date' },
  { key: 'price', title: 'Prix', width: 10, kind: 'money', value: 'price' },
  { key: 'free', title: 'Gratuit', width: 8, kind: 'text', value: ({ free }) => (free ? 'Oui' : 'Non') },
  {
    key: 'free_reason',
    title: 'Motif de gratuité',
    width: 20,
    kind: 'text',
    value: ({ free_reason }) => free_reason?.name ?? null,
  },
  { key: 'comment', title: 'Commentaire', width: 30, kind: 'text', value: 'comment' },
  { key: 'sold_by', title: 'Vendu par', width: 16, kind: 'text', value: 'sold_by' },
  { key: 'analytic', title: 'Code analytique', width: 16, kind: 'text', value: 'analytic' },
  { key: 'accounting_code', title: 'Code comptable', width: 16, kind: 'text', value: 'accounting_code' },
]
