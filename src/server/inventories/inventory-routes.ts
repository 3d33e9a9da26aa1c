import * as call from '../../contract/inventories.ts'
import { change, file, longRead, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { addInventory, changeInventory, removeInventory, setInventoryStatus } from './change-inventory.ts'
import { exportInventory } from './export-inventory.ts'
import { findInventory, listInventories, noSuchInventory } from './inventory-queries.ts'
import { applyInventory } from './apply-inventory.ts'
import { listFindings } from './list-findings.ts'
import { listInventoryCopies } from './list-inventory-copies.ts'
import { listScans } from './list-scans.ts'
import { readProgress } from './progress.ts'
import { receiveScans } from './receive-scans.ts'

export const inventoryRoutes = [
  longRead(call.inventories.list, async (db, { list }, { sight }) =>
    done(await listInventories(db, list, sight)),
  ),
  read(call.getInventory, async (db, { params: { id } }, { sight }) => {
    const found = await findInventory(db, id, sight)
    return found ? done(found) : noSuchInventory
  }),
  change(call.inventories.add, addInventory),
  change(call.inventories.change, changeInventory),
  change(call.inventories.remove, removeInventory),
  change(call.setInventoryStatus, setInventoryStatus),
  longRead(call.listInventoryCopies, listInventoryCopies),
  change(call.sendScans, receiveScans),
  longRead(call.listScans, listScans),
  longRead(call.getInventoryProgress, readProgress),
  longRead(call.listFindings, listFindings),
  change(call.applyInventory, applyInventory),
  file(call.exportInventory, exportInventory),
]
