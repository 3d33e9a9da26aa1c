import * as call from '../../contract/weeding.ts'
import { change, file, longRead } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { listCart } from './cart-queries.ts'
import { changeLine, putInCart, takeOut } from './change-cart.ts'
import { exportWeeding } from './export-weeding.ts'
import { listWeeding } from './list-weeding.ts'
import { listWeedings } from './past-weedings.ts'
import { scanIntoCart } from './scan-into-cart.ts'
import { withdrawCart } from './withdraw-cart.ts'

export const weedingRoutes = [
  longRead(call.listWeeding, async (db, { list }, exchange) => done(await listWeeding(db, list, exchange))),
  longRead(call.listCart, async (db, { list }, { sight }) => done(await listCart(db, list, sight))),
  change(call.putInCart, putInCart),
  change(call.scanIntoCart, scanIntoCart),
  change(call.changeLine, changeLine),
  change(call.takeOut, takeOut),
  change(call.withdrawCart, withdrawCart),
  longRead(call.weedings.list, async (db, { list }, { sight }) => done(await listWeedings(db, list, sight))),
  file(call.exportWeeding, exportWeeding),
]
