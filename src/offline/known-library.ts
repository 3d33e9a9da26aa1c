import type { SnapshotCopy, SnapshotLoan, SnapshotReservation } from '../contract/snapshot.ts'
import { calendarOf, noOpenings, type OpenCalendar, type Openings } from '../domain/open-days.ts'
import type { NumberCode } from '../domain/parameters.ts'
import type { DeviceClock, SnapshotMark } from './device-meta.ts'
import { readMeta } from './device-meta.ts'
import {
  type Side,
  snapshotStoresOf,
  type SnapshotSettings,
  type StoredBeneficiary,
  transact,
} from './device-store.ts'
import { type Overlay, readOverlay, readOverlayOn } from './overlay.ts'

/** One consistent view of the snapshot, and of the outbox to be laid over it. */
export type KnownLibrary = {
  mark: SnapshotMark
  settings: SnapshotSettings | null
  clock: DeviceClock | null
  /** The whole outbox, for lists. */
  overlay(): Promise<Overlay>
  /** What it says of these copies, and of all that was lent to a reader. */
  overlayOn(
    copies: readonly { copy_id: number | null; bar_code: string | null }[],
    beneficiary_id?: number,
  ): Promise<Overlay>
  copyById(id: number): Promise<SnapshotCopy | undefined>
  copyByBarCode(bar_code: string): Promise<SnapshotCopy | undefined>
  copiesOfReference(reference: number): Promise<SnapshotCopy[]>
  beneficiaryById(id: number): Promise<StoredBeneficiary | undefined>
  beneficiariesByCode(code: string): Promise<StoredBeneficiary[]>
  beneficiaryIdsByWord(start: string): Promise<number[]>
  loanById(id: number): Promise<SnapshotLoan | undefined>
  loansOfCopy(id: number): Promise<SnapshotLoan[]>
  loansOfBeneficiary(id: number): Promise<SnapshotLoan[]>
  reservationsOf(reference: number): Promise<SnapshotReservation[]>
}

/** Where the last reading found the snapshot: the next one finds it there, unless the sides were swapped. */
let last: Side = 'a'

/** Reads in one transaction; `work` gets null when there is no complete snapshot. */
export async function readLibrary<T>(work: (library: KnownLibrary | null) => Promise<T>): Promise<T> {
  const side = last
  const answer = await transact(['outbox', 'meta', ...snapshotStoresOf(side)], 'readonly', async (tx) => {
    const meta = tx.objectStore('meta')
    // Asked for at once: one after the other they would be what a scan waits for most.
    const [now, settings, clock] = await Promise.all([
      readMeta(meta, 'snapshot'),
      readMeta(meta, `settings_${side}`),
      readMeta(meta, 'clock'),
    ])
    if (now?.side !== side) return { elsewhere: now?.side }
    const [copies, beneficiaries] = [
      tx.objectStore(`copies_${side}`),
      tx.objectStore(`beneficiaries_${side}`),
    ]
    const [loanings, reservations] = [
      tx.objectStore(`loanings_${side}`),
      tx.objectStore(`reservations_${side}`),
    ]
    const library: KnownLibrary = {
      mark: now,
      settings,
      clock,
      overlay: () => readOverlay(tx, now.asked_at),
      overlayOn: (copies, beneficiary_id) => readOverlayOn(tx, now.asked_at, copies, beneficiary_id),
      copyById: (id) => copies.get(id),
      copyByBarCode: (bar_code) => copies.index('bar_code').get(bar_code),
      copiesOfReference: (reference) => copies.index('reference').getAll(reference),
      beneficiaryById: (id) => beneficiaries.get(id),
      beneficiariesByCode: (code) => beneficiaries.index('codes').getAll(code),
      beneficiaryIdsByWord: (start) =>
        beneficiaries.index('words').getAllKeys(IDBKeyRange.bound(start, `${start}\uffff`)),
      loanById: (id) => loanings.get(id),
      loansOfCopy: (id) => loanings.index('copy').getAll(id),
      loansOfBeneficiary: (id) => loanings.index('beneficiary').getAll(id),
      reservationsOf: (reference) => reservations.index('reference_id').getAll(reference),
    }
    return { result: await work(library) }
  })
  if (!('elsewhere' in answer)) return answer.result
  if (answer.elsewhere === undefined) return work(null)
  last = answer.elsewhere
  return readLibrary(work)
}

/** A parameter in its own unit; undefined when the device does not know it. */
export function numberKnown(library: KnownLibrary | null, code: NumberCode): number | undefined {
  const written = library?.settings?.parameters[code]
  return written === undefined ? undefined : Number(written)
}

/** When each site is open, as far as the device knows. */
export const openingsKnown = (library: KnownLibrary | null): Openings =>
  library?.settings?.openings ?? noOpenings

export const knownCalendarOf = (site: number | null): Promise<OpenCalendar> =>
  readLibrary((library) => Promise.resolve(calendarOf(openingsKnown(library), site)))
