import { inventReaders, type Reader } from './invent-readers.ts'
import { type Copy, planCopies } from './plan-copies.ts'
import { planReservations, type PlannedReservation } from './plan-reservations.ts'
import { seededRandom } from './random.ts'
import { readWorks, type Work } from './read-works.ts'
import { settleLoans } from './settle-loans.ts'
import { firstRank, type PlannedLoan, simulateLoans } from './simulate-loans.ts'

export type LibraryPlan = {
  works: Work[]
  copies: Copy[]
  readers: Reader[]
  loans: PlannedLoan[]
  reservations: PlannedReservation[]
}

const seed = 31_000
/** This library's share of Toulouse's loans makes some 35,000 in two years. */
const scale = 0.092

/** The same library each time; each part has its own chance, so that a change of one leaves the rest. */
export async function planLibrary(): Promise<LibraryPlan> {
  const works = await readWorks()
  const readers = inventReaders(seededRandom(seed), firstRank)
  const copies = planCopies(seededRandom(seed + 1), works, ({ lent }) => Math.max(...lent) * scale)
  const simulated = simulateLoans(seededRandom(seed + 2), works, copies, readers, scale)
  const loans = settleLoans(seededRandom(seed + 3), simulated, readers)
  const reservations = planReservations(seededRandom(seed + 4), copies, loans, readers)
  return { works, copies, readers, loans, reservations }
}
