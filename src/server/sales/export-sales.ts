import { sql } from 'kysely'

import type { exportSales as exportSalesCall } from '../../contract/sale-exports.ts'
import type { Sale } from '../../contract/sales.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import { chosenColumns } from '../files/chosen-columns.ts'
import { houseWording } from '../db/house-wording.ts'
import { tableFile } from '../files/table-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { everySale } from './sale-queries.ts'
import { tellSale } from './tell-sale.ts'

/** All sales of a list as a file, in its order (file 2, « Sales »). */
export async function exportSales(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportSalesCall>,
  { parameters, now, today, sight }: Exchange,
): Promise<Outcome<ServedFile>> {
  const chosen = chosenColumns(columns, query.columns)
  if (!chosen.ok) return chosen
  const hasCodes = chosen.answer.some(({ key }) => key === 'analytic' || key === 'accounting_code')
  async function* rows() {
    for await (const sales of everySale(reads, list, sight)) {
      const told = sales.map((sale) => tellSale(sight, sale))
      yield hasCodes ? await withCodes(reads, told) : told.map((sale) => ({ ...sale, ...noCodes }))
    }
  }
  const type = query.export_type
  const about = `${parameters.get('work_council')}, le ${frenchDay(today)}`
  return done({
    name: fileName('ventes', type, now, parameters.get('timezone')),
    type,
    bytes: tableFile(
      { title: 'Ventes', about, columns: chosen.answer, rows: rows() },
      type,
      await houseWording(reads),
    ),
  })
}

type Codes = { analytic: string | null; accounting_code: string | null }
type ExportedSale = Sale & Codes
const noCodes: Codes = { analytic: null, accounting_code: null }

/** The codes of the medium, which a library's accounts know: one by site, one for all. */
async function withCodes(reads: ReadInTurn, sales: readonly Sale[]): Promise<ExportedSale[]> {
  const { rows } = await reads((db) =>
    sql<Codes & { id: number }>`
      select s.id, a.analytic, m.accounting_code
      from sales s join copies c on c.id = s.copy join "references" r on r.id = c.reference
      join media m on m.id = r.medium left join media_analytics a on a.medium = m.id and a.site = s.site
      where s.id = any(${sales.map(({ id }) => id)}::int[])`.execute(db),
  )
  const codes = new Map(rows.map(({ id, ...of }) => [id, of]))
  return sales.map((sale) => ({ ...sale, ...(codes.get(sale.id) ?? noCodes) }))
}

const columns: KeyedColumn<ExportedSale>[] = [
  {
    key: 'beneficiary',
    title: 'Lecteur',
    width: 30,
    kind: 'text',
    value: ({ beneficiary_name }) => beneficiary_name,
  },
  {
    key: 'relative',
    title: 'Membre de la famille',
    width: 22,
    kind: 'text',
    value: ({ relative }) => relative?.name ?? null,
  },
  {
    key: 'reference',
    title: 'Référence',
    width: 40,
    kind: 'text',
    value: ({ reference_name }) => reference_name,
  },
  {
    key: 'bar_code',
    title: 'Code-barres',
    width: 14,
    kind: 'text',
    value: ({ copy_barcode }) => copy_barcode,
  },
  { key: 'category', title: 'Catégorie', width: 18, kind: 'text', value: ({ category }) => category },
  { key: 'medium', title: 'Support', width: 16, kind: 'text', value: ({ medium }) => medium },
  { key: 'site', title: 'Site', width: 18, kind: 'text', value: ({ site_name }) => site_name },
  { key: 'date', title: 'Date', width: 12, kind: 'day', value: ({ date }) => date },
  { key: 'price', title: 'Prix', width: 10, kind: 'money', value: ({ price }) => price },
  { key: 'free', title: 'Gratuit', width: 8, kind: 'text', value: ({ free }) => (free ? 'Oui' : 'Non') },
  {
    key: 'free_reason',
    title: 'Motif de gratuité',
    width: 20,
    kind: 'text',
    value: ({ free_reason }) => free_reason?.name ?? null,
  },
  { key: 'comment', title: 'Commentaire', width: 30, kind: 'text', value: ({ comment }) => comment },
  { key: 'sold_by', title: 'Vendu par', width: 16, kind: 'text', value: ({ sold_by }) => sold_by },
  { key: 'analytic', title: 'Code analytique', width: 16, kind: 'text', value: ({ analytic }) => analytic },
  {
    key: 'accounting_code',
    title: 'Code comptable',
    width: 16,
    kind: 'text',
    value: ({ accounting_code }) => accounting_code,
  },
]
