import { describe, expect, it } from 'vitest'

import {
  nextToServe,
  ownReservation,
  pickupDeadline,
  type Reservation,
  reservationsBefore,
} from '../../src/domain/reservation-rules.ts'

const copy = 50

const one = (beneficiary_id: number, told: Partial<Reservation> = {}): Reservation => ({
  beneficiary_id,
  copy_id: null,
  set_aside_copy: null,
  start_date: null,
  end_date: null,
  queue_position: null,
  ...told,
})
const queued = (beneficiary_id: number, queue_position: number, told: Partial<Reservation> = {}) =>
  one(beneficiary_id, { queue_position, ...told })
const dated = (
  beneficiary_id: number,
  start_date: string,
  end_date: string,
  told: Partial<Reservation> = {},
) => one(beneficiary_id, { start_date, end_date, ...told })

describe('reservations that stop a loan', () => {
  const loanTo = (reader: number) => ({ reader, copy, start_date: '2026-03-10', end_date: '2026-03-31' })

  it('stand before whoever has none, and only before those behind in the queue', () => {
    const queue = [queued(2, 1), queued(3, 2)]
    expect(reservationsBefore(queue, loanTo(1))).toEqual(queue)
    expect(reservationsBefore(queue, loanTo(2))).toEqual([])
    expect(reservationsBefore(queue, loanTo(3))).toEqual([queued(2, 1)])
  })

  it('with dates hold only the days of the loan', () => {
    expect(reservationsBefore([dated(2, '2026-03-31', '2026-04-02')], loanTo(1))).toHaveLength(1)
    expect(reservationsBefore([dated(2, '2026-04-01', '2026-04-02')], loanTo(1))).toEqual([])
  })

  it('count the place of a reader who has one, whatever they hold for other days', () => {
    const later = dated(3, '2026-06-01', '2026-06-30')
    expect(ownReservation([later, queued(3, 2)], loanTo(3))).toEqual(queued(3, 2))
    expect(reservationsBefore([queued(2, 1), later, queued(3, 2), queued(4, 3)], loanTo(3))).toEqual([
      queued(2, 1),
    ])
    expect(ownReservation([later], loanTo(3))).toBeUndefined()
  })

  it('stop no copy but the one that is wished for or set aside', () => {
    expect(reservationsBefore([queued(2, 1, { copy_id: 51 })], loanTo(1))).toEqual([])
    expect(reservationsBefore([one(2, { set_aside_copy: 51 })], loanTo(1))).toEqual([])
    expect(reservationsBefore([dated(2, '2026-03-10', '2026-03-11', { copy_id: 51 })], loanTo(1))).toEqual([])
    expect(reservationsBefore([one(2, { set_aside_copy: copy })], loanTo(1))).toHaveLength(1)
  })

  it('let whoever was promised a copy pass the queue, but not take the one set aside for another', () => {
    const promised = one(3)
    expect(reservationsBefore([queued(2, 1), promised], loanTo(3))).toEqual([])
    expect(reservationsBefore([promised, one(4, { set_aside_copy: copy })], loanTo(3))).toEqual([
      one(4, { set_aside_copy: copy }),
    ])
  })

  it('are served by what was promised first', () => {
    const own = [queued(3, 1), dated(3, '2026-03-12', '2026-03-14'), one(3), one(3, { set_aside_copy: copy })]
    expect(ownReservation(own, loanTo(3))).toEqual(own[3])
    expect(ownReservation(own.slice(0, 3), loanTo(3))).toEqual(own[2])
    expect(ownReservation(own.slice(0, 2), loanTo(3))).toEqual(own[1])
  })
})

describe('a copy that comes back', () => {
  const day = '2026-03-10'

  it('is for the first of the queue whom it can serve', () => {
    expect(nextToServe([queued(2, 1, { copy_id: 51 }), queued(3, 2), queued(4, 3)], copy, day)).toEqual(
      queued(3, 2),
    )
    expect(nextToServe([queued(2, 1, { copy_id: 51 })], copy, day)).toBeUndefined()
  })

  it('is for a dated reservation that begins within seven days, and for none that begins later or is over', () => {
    expect(nextToServe([queued(2, 1), dated(3, '2026-03-17', '2026-03-20')], copy, day)?.beneficiary_id).toBe(
      3,
    )
    expect(nextToServe([queued(2, 1), dated(3, '2026-03-18', '2026-03-20')], copy, day)?.beneficiary_id).toBe(
      2,
    )
    expect(nextToServe([dated(3, '2026-03-01', '2026-03-09')], copy, day)).toBeUndefined()
  })

  it('is for whom it was kept, then for whom a copy was promised', () => {
    const kept = one(4, { set_aside_copy: copy })
    expect(nextToServe([queued(2, 1), one(3), kept], copy, day)).toEqual(kept)
    expect(nextToServe([queued(2, 1), one(3)], copy, day)).toEqual(one(3))
    expect(nextToServe([queued(2, 1), one(3, { set_aside_copy: 51 })], copy, day)).toEqual(queued(2, 1))
  })
})

describe('until when what is set aside waits', () => {
  const open = { weekdays: [2, 3, 4, 5, 6], closures: [{ first_day: '2026-03-12', last_day: '2026-03-14' }] }
  const until = (days: number, end_date: string | null = null) =>
    pickupDeadline('2026-03-10', days, { end_date }, open)

  it('is counted in open days, and no longer than the reservation', () => {
    expect(until(1)).toBe('2026-03-11')
    expect(until(2)).toBe('2026-03-17')
    expect(until(2, '2026-03-15')).toBe('2026-03-15')
    expect(until(2, '2026-04-15')).toBe('2026-03-17')
  })

  it('is for as long as it takes where the library says so', () => {
    expect(until(0)).toBeNull()
  })
})
