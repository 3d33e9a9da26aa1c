import { exportSales as exportSalesCall } from '../../contract/sale-exports.ts'
import * as call from '../../contract/sales.ts'
import { aMomentAgo, change, file, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { deleteSale, noSuchSale } from './delete-sale.ts'
import { exportSales } from './export-sales.ts'
import { findSaleInSight, listSales } from './sale-queries.ts'
import { sellCopy } from './sell-copy.ts'
import { tellSale } from './tell-sale.ts'

export const saleRoutes = [
  read(call.listSales, async (db, { list }, { sight }) => {
    const page = await listSales(db, list, sight)
    return done({ ...page, 'hydra:member': page['hydra:member'].map((sale) => tellSale(sight, sale)) })
  }),
  aMomentAgo(file(exportSalesCall, exportSales)),
  read(call.getSale, async (db, { params }, { sight }) => {
    const sale = await findSaleInSight(db, params.id, sight)
    return sale ? done(tellSale(sight, sale)) : noSuchSale
  }),
  change(call.sellCopy, sellCopy),
  change(call.deleteSale, deleteSale),
]
