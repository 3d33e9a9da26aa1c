import { mapMembers } from '../../contract/list.ts'
import { exportSales as exportSalesCall } from '../../contract/sale-exports.ts'
import * as call from '../../contract/sales.ts'
import type { deleteSale as deleteSaleCall } from '../../contract/sales.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Trx } from '../db/handles.ts'
import { aMomentAgo, change, file, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { exportSales } from './export-sales.ts'
import { findVisibleSale, listSales, serializeSale } from './sale-queries.ts'
import { sellCopy } from './sell-copy.ts'

const noSuchSale = notFound('Cette vente n’existe pas.')

/** Hides a sale of today; its copy is to be had again, unless it was withdrawn meanwhile. */
async function deleteSale(
  trx: Trx,
  { params }: VerbInput<typeof deleteSaleCall>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const found = await findVisibleSale(trx, params.id, exchange.visibility)
  if (!found) return noSuchSale
  // The copy first, as selling it does; what is read after both locks is what is there.
  await trx.selectFrom('copies').select('id').where('id', '=', found.copy).forUpdate().execute()
  await trx.selectFrom('sales').select('id').where('id', '=', found.id).forUpdate().execute()
  const sale = await findVisibleSale(trx, params.id, exchange.visibility)
  if (!sale) return noSuchSale
  if (sale.date !== exchange.today) {
    return conflict(
      'TOO_LATE',
      `Cette vente est du ${frenchDay(sale.date)}\u202f: une vente ne se supprime que le jour même.`,
    )
  }
  await trx
    .updateTable('sales')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', sale.id)
    .execute()
  await trx
    .updateTable('copies')
    .set({ status: 'Disponible', withdrawn_on: null, withdrawal_reason: null })
    .where('id', '=', sale.copy)
    .where('deleted_at', 'is', null)
    .execute()
  await journal(trx, exchange, {
    action: 'sale.delete',
    entity: 'sales',
    entity_id: sale.id,
    before: sale,
  })
  return done(null)
}

export const saleRoutes = [
  read(call.listSales, async (db, { list }, { visibility }) => {
    const page = await listSales(db, list, visibility)
    return done(mapMembers(page, (sale) => serializeSale(visibility, sale)))
  }),
  aMomentAgo(file(exportSalesCall, exportSales)),
  read(call.getSale, async (db, { params }, { visibility }) => {
    const sale = await findVisibleSale(db, params.id, visibility)
    return sale ? done(serializeSale(visibility, sale)) : noSuchSale
  }),
  change(call.sellCopy, sellCopy),
  change(call.deleteSale, deleteSale),
]
