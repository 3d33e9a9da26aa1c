import { inventReaders, type Reader } from './invent-readers.ts'
import { busyReader, knownReader } from './known-codes.ts'
import { type Copy, planCopies } from './plan-copies.ts'
import { type Random, seededRandom } from './random.ts'
import { readWorks, type Work } from './read-works.ts'
import { firstRank, type PlannedLoan, simulateLoans } from './simulate-loans.ts'

const late = 40
const veryLate = 10
const dueToday = 25
const cancelled = 40
const busyReaderTakes = { Livre: 8, DVD: 2, CD: 2 } as const

const isOut = ({ returned }: PlannedLoan) => returned > 0

/** Gives the last days their late loans, loans due today (rank 1), a busy reader and cancelled loans. */
function settleLoans(
  random: Random,
  loans: readonly PlannedLoan[],
  readers: readonly Reader[],
): PlannedLoan[] {
  const lastOf = new Map(loans.map((loan) => [loan.copy, loan]))

  const lateOnes = loans.filter((loan) => isOut(loan) && loan.due <= 0).sort((a, b) => a.due - b.due)
  for (const loan of random.shuffle(lateOnes.slice(veryLate)).slice(late - veryLate)) {
    loan.returned = Math.max(loan.due, random.between(-4, 0))
  }

  const dueOnes = loans.filter((loan) => loan.due === 1)
  const expected = dueOnes.filter(isOut)
  for (const loan of expected.slice(dueToday)) loan.returned = 0
  const others = dueOnes.filter(
    (loan) => !isOut(loan) && lastOf.get(loan.copy) === loan && hasRoom(loan, loans),
  )
  for (const loan of others.slice(0, Math.max(0, dueToday - expected.length))) loan.returned = 1

  const busy = readers.find(({ reader_id }) => reader_id === busyReader.reader_id)
  if (!busy) throw new Error('no busy reader')
  for (const [medium, count] of Object.entries(busyReaderTakes)) {
    const later = loans.filter((loan) => isOut(loan) && loan.due > 1 && loan.copy.work.medium.name === medium)
    for (const loan of random.shuffle(later).slice(0, count)) give(loan, busy)
  }
  const past = loans.filter((loan) => !isOut(loan) && loan.start > firstRank + 20)
  for (const loan of random.shuffle(past).slice(0, 45)) give(loan, busy)

  // The wrong card was read, so the loan was cancelled and made again.
  const mistaken = random.shuffle(past).slice(0, cancelled)
  const members = readers.filter(({ activity }) => activity > 0)
  const mistakes = mistaken.map((loan): PlannedLoan => {
    const reader = random.pick(
      members.filter(({ joined, exit }) => joined <= loan.start && (exit === null || loan.start < exit)),
    )
    return Object.assign({}, loan, { reader, relative: null, lentAt: loan.lentAt - 4, isCancelled: true })
  })
  return [...loans, ...mistakes].sort((a, b) => a.start - b.start || a.lentAt - b.lentAt)
}

function hasRoom({ reader, copy }: PlannedLoan, loans: readonly PlannedLoan[]): boolean {
  const { medium } = copy.work
  const open = loans.filter(
    (loan) => loan.reader === reader && isOut(loan) && loan.copy.work.medium === medium,
  )
  return open.length < medium.max_loaning
}

function give(loan: PlannedLoan, reader: Reader): void {
  loan.reader = reader
  loan.relative = null
}

type PlannedReservation = {
  reader: Reader
  work: Work
  copy: Copy | null
  site: 0 | 1
  made: number
  status: 'waiting' | 'confirmed' | 'canceled' | 'refused'
  source: 'media' | 'online'
  queue_position: number | null
  comment: string
  fulfilledBy: PlannedLoan | null
}

const queues = [3, 3, 2, 2, 2, 2, ...Array.from({ length: 12 }, () => 1)]
const onAvailableWorks = 4
const served = 12

/** Thirty waiting reservations, and some that were served, cancelled or refused. */
function planReservations(
  random: Random,
  copies: readonly Copy[],
  loans: readonly PlannedLoan[],
  readers: readonly Reader[],
) {
  const members = readers.filter(
    ({ exit, reader_id, activity }) =>
      activity > 0 && (exit === null || exit > 0) && reader_id !== knownReader.reader_id,
  )
  const out = new Map<Copy, PlannedLoan>()
  for (const loan of loans) if (loan.returned > 0 && !loan.isCancelled) out.set(loan.copy, loan)
  const copiesOf = new Map<Work, Copy[]>()
  for (const copy of copies) copiesOf.set(copy.work, [...(copiesOf.get(copy.work) ?? []), copy])
  const knownWorks = new Set(copies.filter(({ isKnown }) => isKnown).map(({ work }) => work))
  const works = random.shuffle([...copiesOf].filter(([work]) => !knownWorks.has(work)))

  const reservations: PlannedReservation[] = []
  const add = (own: Pick<PlannedReservation, 'reader' | 'work' | 'made'> & Partial<PlannedReservation>) =>
    reservations.push({
      copy: null,
      site: own.reader.site,
      status: 'waiting',
      source: random.chance(0.3) ? 'online' : 'media',
      queue_position: null,
      comment: '',
      fulfilledBy: null,
      ...own,
    })

  const allOut = works.filter(([, own]) => own.every((copy) => out.has(copy)))
  for (const [at, length] of queues.entries()) {
    const [work, own = []] = allOut[at] ?? []
    if (!work) throw new Error('too few works are out')
    const borrowers = new Set(own.map((copy) => out.get(copy)?.reader))
    const waiting = random.shuffle(members.filter((reader) => !borrowers.has(reader))).slice(0, length)
    for (const [nth, reader] of waiting.entries()) {
      const copy = nth === 0 && at % 2 === 0 ? (own[0] ?? null) : null
      add({ reader, work, copy, made: nth - 2 * length - (at % 5), queue_position: nth + 1 })
    }
  }

  const onShelf = works.filter(([, own]) =>
    own.every(({ status, site }, nth) => status === 'Disponible' && (nth > 0 || site === 0)),
  )
  const available = onShelf
    .filter(([, own]) => own.every((copy) => !out.has(copy)))
    .slice(0, onAvailableWorks + 10)
  for (const [at, [work, own]] of available.entries()) {
    const reader = random.pick(members)
    if (at < onAvailableWorks) {
      // The first is set aside on its shelf, so that lending it to another warns.
      const isSetAside = at === 0
      add({
        reader,
        work,
        copy: isSetAside ? (own[0] ?? null) : null,
        made: -at,
        queue_position: 1,
        status: isSetAside ? 'confirmed' : 'waiting',
      })
    } else {
      const isRefused = at % 3 === 0
      add({
        reader,
        work,
        made: -20 - at,
        status: isRefused ? 'refused' : 'canceled',
        comment: isRefused ? 'Exemplaire en réparation.' : '',
      })
    }
  }

  const recent = loans.filter(
    ({ start, reader, isCancelled }) => start > -120 && !isCancelled && reader.activity > 0,
  )
  for (const loan of random.shuffle(recent).slice(0, served)) {
    const { reader, copy, start } = loan
    add({
      reader,
      work: copy.work,
      copy,
      made: start - 6,
      status: 'confirmed',
      queue_position: 1,
      fulfilledBy: loan,
    })
  }
  return reservations
}

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
