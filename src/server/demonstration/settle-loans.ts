import { busyReader } from './known-codes.ts'
import type { Reader } from './invent-readers.ts'
import { firstRank, type PlannedLoan } from './simulate-loans.ts'
import type { Random } from './random.ts'

const late = 40
const veryLate = 10
const dueToday = 25
const cancelled = 40
const busyReaderTakes = { Livre: 8, DVD: 2, CD: 2 } as const

const isOut = ({ returned }: PlannedLoan) => returned > 0

/** Gives the last days their late loans, loans due today (rank 1), a busy reader and cancelled loans. */
export function settleLoans(
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
