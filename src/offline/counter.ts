import type { Medium } from '../contract/media.ts'
import type { SnapshotBeneficiary, SnapshotCopy, SnapshotReservation } from '../contract/snapshot.ts'
import { type CalendarDay, calendarDayOf } from '../domain/calendar-day.ts'
import { type Capacity, isOfAnyCopy, ownReservation } from '../domain/reservation-rules.ts'
import { correctedTime } from './device-clock.ts'
import { readMeta } from './device-meta.ts'
import { transact } from './device-store.ts'
import { type Entry, isUnsettled } from './entry.ts'
import { wordsOf } from './fold-text.ts'
import { type KnownLibrary, readLibrary } from './known-library.ts'
import {
  defaultZone,
  isShown,
  loanOfEntry,
  loansInLibrary,
  openLoanOn,
  type OpenLoan,
  zoneOf,
} from './open-loans.ts'
import { isLend, readOverlayOn } from './overlay.ts'

// What the counter knows, online or not: the outbox laid over the snapshot. Nothing here writes.

export type KnownCopy = {
  copy: SnapshotCopy
  medium: Medium | null
  loan: OpenLoan | null
  borrower: SnapshotBeneficiary | null
  /** Of the title, in the order they are served; none of whoever leaves with a copy. */
  reservations: SnapshotReservation[]
  /** Null where no days of the title are reserved for any copy. */
  capacity: Capacity | null
}

export type KnownReader = {
  beneficiary: SnapshotBeneficiary
  relative: SnapshotBeneficiary['relatives'][number] | null
}

/** Today's date in the library, corrected by the server's clock where that was measured. */
export async function libraryToday(now = new Date()): Promise<CalendarDay> {
  const day = await readLibrary(async (library) => library && dayIn(library, now))
  // A device without the library may know the time all the same.
  return day ?? dayIn({ clock: await readClock(), settings: null }, now)
}

const dayIn = (known: Pick<KnownLibrary, 'clock' | 'settings'>, now = new Date()): CalendarDay =>
  calendarDayOf(correctedTime(now, known.clock?.offset ?? null), zoneOf(known))

const readClock = () => transact(['meta'], 'readonly', (tx) => readMeta(tx.objectStore('meta'), 'clock'))

export const findCopy = (bar_code: string, today?: CalendarDay): Promise<KnownCopy | null> =>
  readLibrary(async (library) => library && copyIn(library, bar_code, today ?? dayIn(library)))

/** The copy of the first form that is known, and whose card has its code as well, in one reading: each scan waits for it. */
export const findLabel = (
  forms: readonly string[],
): Promise<{ known: KnownCopy; card: KnownReader | null } | null> =>
  readLibrary(async (library) => {
    if (!library) return null
    for (const form of forms) {
      const [known, card] = await Promise.all([copyIn(library, form, dayIn(library)), cardIn(library, form)])
      if (known) return { known, card }
    }
    return null
  })

async function copyIn(library: KnownLibrary, bar_code: string, day: CalendarDay): Promise<KnownCopy | null> {
  const copy = await library.copyByBarCode(bar_code)
  if (!copy) return null
  const [{ loan, last }, reservations] = await Promise.all([
    loanOn(copy, library, day),
    stillWaiting(library, copy.reference, day),
  ])
  return {
    copy: { ...copy, ...statusOf(copy, loan, last) },
    medium: library.settings?.media.find(({ id }) => id === copy.medium) ?? null,
    loan,
    borrower: (loan && (await library.beneficiaryById(loan.beneficiary_id))) ?? null,
    reservations,
    capacity: reservations.some(isOfAnyCopy) ? await capacityBeside(copy, library, day) : null,
  }
}

/** The loan still in the outbox of a copy that the snapshot may lack, such as another site's. */
export async function findLentHere(bar_code: string, today?: CalendarDay): Promise<OpenLoan | null> {
  const day = today ?? (await libraryToday())
  const keys = { copy_id: null, bar_code }
  const overlay = await transact(['outbox'], 'readonly', (tx) => readOverlayOn(tx, null, [keys]))
  const last = overlay.lastOn(keys)
  return last && isLend(last) ? loanOfEntry(last, { day, zone: defaultZone, medium: null }) : null
}

/** By the exact number of their card or of a relative's, else by matricule. */
export const findReader = (code: string): Promise<KnownReader | null> =>
  readLibrary(async (library) => {
    const found = (await library?.beneficiariesByCode(code)) ?? []
    return ofCard(found, code) ?? (found[0] ? { beneficiary: found[0], relative: null } : null)
  })

/** By the exact number of their card or of a relative's; whoever has no card may carry their matricule as one. */
export const findCard = (code: string): Promise<KnownReader | null> =>
  readLibrary(async (library) => library && cardIn(library, code))

async function cardIn(library: KnownLibrary, code: string): Promise<KnownReader | null> {
  const found = await library.beneficiariesByCode(code)
  const without = found.find(({ reader_id }) => !reader_id)
  return ofCard(found, code) ?? (without ? { beneficiary: without, relative: null } : null)
}

function ofCard(found: readonly SnapshotBeneficiary[], code: string): KnownReader | null {
  const own = found.find(({ reader_id }) => reader_id === code)
  if (own) return { beneficiary: own, relative: null }
  for (const beneficiary of found) {
    const relative = beneficiary.relatives.find(({ reader_id }) => reader_id === code)
    if (relative) return { beneficiary, relative }
  }
  return null
}

export const findBeneficiary = (id: number): Promise<SnapshotBeneficiary | null> =>
  readLibrary(async (library) => (await library?.beneficiaryById(id)) ?? null)

/** More than anyone reads; sorting more homonyms would only cost time. */
const mostSorted = 500

/** Active readers, by name, of whom a name or number (or a relative's) begins with each typed word. */
export async function searchReaders(
  text: string,
  limit = 10,
  today?: CalendarDay,
): Promise<SnapshotBeneficiary[]> {
  const words = wordsOf(text)
  if (words.length === 0) return []
  const day = today ?? (await libraryToday())
  return readLibrary(async (library) => {
    if (!library) return []
    const found = await Promise.all(
      words.map(async (word) => new Set(await library.beneficiaryIdsByWord(word))),
    )
    const [first, ...others] = found.sort((a, b) => a.size - b.size)
    const ids = [...(first ?? [])].filter((id) => others.every((set) => set.has(id))).slice(0, mostSorted)
    const readers = await Promise.all(ids.map((id) => library.beneficiaryById(id)))
    return readers
      .filter((reader) => reader !== undefined)
      .filter(({ exit_date }) => exit_date === null || exit_date > day)
      .sort((a, b) => nameOf(a).localeCompare(nameOf(b), 'fr'))
      .slice(0, limit)
  })
}

const nameOf = ({ lastname, firstname }: SnapshotBeneficiary): string => `${lastname} ${firstname}`

export async function openLoansOf(beneficiary_id: number, today?: CalendarDay): Promise<OpenLoan[]> {
  const day = today ?? (await libraryToday())
  return readLibrary(async (library) => {
    const loans = library ? await loansInLibrary(library, beneficiary_id, day) : []
    return loans.filter((loan) => isShown({ copy_barcode: loan.bar_code }))
  })
}

/** A return in the outbox may have changed the copy's state. */
function statusOf(
  copy: SnapshotCopy,
  loan: OpenLoan | null,
  last: Entry | null,
): Pick<SnapshotCopy, 'status' | 'state'> {
  if (loan) return { status: 'En Location', state: copy.state }
  if (!last) return copy
  const state = (last.body['state'] as SnapshotCopy['state'] | undefined) ?? copy.state
  return { status: state === 'UNUSABLE' ? 'Non Disponible' : 'Disponible', state }
}

/** Those of a title that no loan in the outbox serves. */
async function stillWaiting(
  library: KnownLibrary,
  reference: number,
  day: CalendarDay,
): Promise<SnapshotReservation[]> {
  let waiting = (await library.reservationsOf(reference)).sort(
    (a, b) =>
      (a.start_date ?? '').localeCompare(b.start_date ?? '') ||
      (a.queue_position ?? 0) - (b.queue_position ?? 0) ||
      a.id - b.id,
  )
  for (const reader of new Set(waiting.map(({ beneficiary_id }) => beneficiary_id))) {
    const { lends } = await library.overlayOn([], reader)
    for (const entry of lends) {
      if (!isUnsettled(entry) || entry.beneficiary_id !== reader || entry.copy_id === null) continue
      if ((await library.copyById(entry.copy_id))?.reference !== reference) continue
      const { start_date, end_date } = loanOfEntry(entry, { day, zone: zoneOf(library), medium: null })
      const lent = { reader, copy: entry.copy_id, start_date, end_date: end_date ?? start_date }
      const served = ownReservation(waiting, lent)
      waiting = waiting.filter((one) => one !== served)
    }
  }
  return waiting
}

/** What the title of a copy can give besides it, of the copies that this device knows. */
async function capacityBeside(
  copy: SnapshotCopy,
  library: KnownLibrary,
  day: CalendarDay,
): Promise<Capacity> {
  const lent = (await library.copiesOfReference(copy.reference)).filter(
    ({ type, status }) => type === 'Location' && status !== 'Non Disponible',
  )
  const loans = await Promise.all(
    lent.filter(({ id }) => id !== copy.id).map(async (other) => (await loanOn(other, library, day)).loan),
  )
  return {
    copies: lent.length,
    loans: loans.flatMap((loan) =>
      loan ? { start_date: loan.start_date, end_date: loan.end_date ?? loan.start_date } : [],
    ),
  }
}

/** The open loan of a copy, and the last that the outbox says of it. */
async function loanOn(
  { id, bar_code, medium, site }: SnapshotCopy,
  library: KnownLibrary,
  day: CalendarDay,
): Promise<{ loan: OpenLoan | null; last: Entry | null }> {
  const [row] = await library.loansOfCopy(id)
  const keys = { copy_id: id, bar_code }
  const last = (await library.overlayOn([keys])).lastOn(keys)
  const context = { day, zone: zoneOf(library), medium, copy_site: site }
  return { loan: openLoanOn(row ?? null, last, context), last }
}
