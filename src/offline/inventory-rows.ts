import type { InventoryCopy, InventoryScan } from '../contract/inventories.ts'
import type { Actor, Problem } from './entry.ts'
import type { Wait } from './when-due.ts'

/** An inventory on this device: ids of two environments may be the same. */
export type CountName = `${number}/${number}`
export const countName = (environment_id: number, inventory: number): CountName =>
  `${environment_id}/${inventory}`

/** What a person says of a scan, and may say otherwise later. */
type Said = Pick<InventoryScan, 'note' | 'taken_back'>

export type NewScan = Pick<
  InventoryScan,
  'key' | 'bar_code' | 'copy' | 'location' | 'way' | 'verdict' | 'name'
> & {
  inventory: number
  /** Of the inventory, which may be another than the chosen one. */
  site: number
}

/** Fields are only ever added; `v` is the version of this shape. */
export type StoredScan = NewScan &
  Omit<Actor, 'site'> &
  Said & {
    seq: number
    v: 1
    count: CountName
    scanned_at: string
    /** `refused`: the server takes it from nobody as it is; it stays, and can be saved as a file. */
    state: 'queued' | 'sent' | 'refused'
    /** Counts what was said since the scan, so that an answer to less does not settle more. */
    revision: number
    is_late: boolean
    problem: Problem | null
  }

export type StoredCopy = Omit<InventoryCopy, 'medium'> & {
  count: CountName
  /** Absent of what was loaded before it was told. */
  medium?: string | null
}

/** What another device has counted. */
export type CountedByOther = { count: CountName } & Pick<
  InventoryScan,
  'key' | 'copy' | 'location' | 'scanned_at' | 'who' | 'taken_back'
>

export type Shelf = { id: number; label: string; bar_code: string | null }

/** Of an inventory that the server no longer has, or not for the person; what was not sent of it stays. */
export const removedStatus = 'removed'

/** An inventory as this device last knew it. */
export type LoadedCount = {
  environment_id: number
  id: number
  name: string
  site: number
  site_name: string
  status: string
  locations: number[]
  shelves: Shelf[]
  /** Null until all copies are here; `after` is the last that was received. */
  loaded_at: string | null
  after: number
  copies: number
  total: number
  /** Up to where other devices' scans are known. */
  cursor: string | null
  /** Where the person stands. */
  shelf: number | null
}

export type ScanWait = Wait & { attempts: number }
