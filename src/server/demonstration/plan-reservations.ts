import { knownReader } from './known-codes.ts'
import type { Reader } from './invent-readers.ts'
import type { Copy } from './plan-copies.ts'
import type { Random } from './random.ts'
import type { Work } from './read-works.ts'
import type { PlannedLoan } from './simulate-loans.ts'

export type PlannedReservation = {
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
export function planReservations(
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
