import { describe, expect, it } from 'vitest'

import { ownReservation, reservationsBefore } from '../../src/domain/reservation-rules.ts'

describe('reservations that stop a loan', () => {
  const dates = { start_date: '2026-03-10', end_date: '2026-03-31' }
  const one = (
    beneficiary_id: number,
    queue_position: number | null,
    start_date: string | null = null,
    end_date: string | null = null,
  ) => ({ beneficiary_id, queue_position, start_date, end_date })

  it('stand before whoever has none, and only before those behind in the queue', () => {
    const queue = [one(2, 1), one(3, 2)]
    expect(reservationsBefore(queue, 1, dates)).toEqual(queue)
    expect(reservationsBefore(queue, 2, dates)).toEqual([])
    expect(reservationsBefore(queue, 3, dates)).toEqual([one(2, 1)])
  })

  it('with dates hold only the days of the loan', () => {
    expect(reservationsBefore([one(2, null, '2026-03-31', '2026-04-02')], 1, dates)).toHaveLength(1)
    expect(reservationsBefore([one(2, null, '2026-04-01', '2026-04-02')], 1, dates)).toEqual([])
  })

  it('count the place of a reader who has one, whatever they hold for other days', () => {
    const later = one(3, null, '2026-06-01', '2026-06-30')
    expect(ownReservation([later, one(3, 2)], 3, dates)).toEqual(one(3, 2))
    expect(reservationsBefore([one(2, 1), later, one(3, 2), one(4, 3)], 3, dates)).toEqual([one(2, 1)])
    expect(ownReservation([later], 3, dates)).toBeUndefined()
  })
})
