import type { ScanVerdict } from '../domain/inventory.ts'
import type { CountName } from './inventory-rows.ts'
import { newsChannel } from './news-channel.ts'

/** `judged`: scans of which the server says something else than the device had said. */
export type InventoryNews = {
  count: CountName | null
  to_send: boolean
  judged?: { key: string; before: ScanVerdict; verdict: ScanVerdict }[]
}

export const { tell: tellInventory, watch: watchInventory } = newsChannel<InventoryNews>('comptoir-inventory')
