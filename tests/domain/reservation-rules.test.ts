import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { plusDays } from '../../src/domain/calendar-day.ts'
import {
  type Capacity,
  copyFreed,
  firstFullDay,
  mayBecome,
  nextToServe,
  onStartDay,
  ownReservation,
  pickupDeadline,
  type Reservation,
  reservationsBefore,
  type ReservationStatus,
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

const before = (
  reservations: Reservation[],
  sought: ReturnType<typeof loanTo>,
  capacity: Capacity | null = null,
) => reservationsBefore(reservations, sought, capacity)

const loanTo = (reader: number) => ({ reader, copy, start_date: '2026-03-10', end_date: '2026-03-31' })

describe('ownReservation', () => {
  it('is what was promised first', () => {
    const own = [queued(3, 1), dated(3, '2026-03-12', '2026-03-14'), one(3), one(3, { set_aside_copy: copy })]
    expect(ownReservation(own, loanTo(3))).toBe(own[3])
    expect(ownReservation(own.slice(0, 3), loanTo(3))).toBe(own[2])
    expect(ownReservation(own.slice(0, 2), loanTo(3))).toBe(own[1])
    expect(ownReservation(own.slice(0, 1), loanTo(3))).toBe(own[0])
  })

  it('prefers the copy set aside that is lent to another one', () => {
    const own = [one(3, { set_aside_copy: 51 }), one(3, { set_aside_copy: copy })]
    expect(ownReservation(own, loanTo(3))).toBe(own[1])
  })

  it('is one that another copy was set aside or wished for, where none is for this one', () => {
    const twin = one(3, { set_aside_copy: 51 })
    expect(ownReservation([twin], loanTo(3))).toBe(twin)
    expect(ownReservation([queued(3, 1, { copy_id: 51 })], loanTo(3))).toBeDefined()
    const own = [twin, queued(3, 1)]
    expect(ownReservation(own, loanTo(3))).toBe(own[1])
    expect(copyFreed(twin, copy)).toBe(51)
    expect(copyFreed(one(3, { set_aside_copy: copy }), copy)).toBeNull()
    expect(copyFreed(undefined, copy)).toBeNull()
  })

  it('is none where all are of others', () => {
    expect(ownReservation([one(2, { set_aside_copy: copy }), queued(4, 1)], loanTo(3))).toBeUndefined()
    expect(ownReservation([], loanTo(3))).toBeUndefined()
  })

  it.each([
    ['ends the day before the loan', '2026-03-01', '2026-03-09', false],
    ['ends on its first day', '2026-03-01', '2026-03-10', true],
    ['begins on its last day', '2026-03-31', '2026-04-10', true],
    ['begins the day after it', '2026-04-01', '2026-04-10', false],
  ])('with days that %s', (_, start, end, isOwn) => {
    expect(ownReservation([dated(3, start, end)], loanTo(3)) !== undefined).toBe(isOwn)
  })
})

describe('reservationsBefore', () => {
  it('stand before whoever has none, and only before those behind in the queue', () => {
    const queue = [queued(2, 1), queued(3, 2)]
    expect(before(queue, loanTo(1))).toEqual(queue)
    expect(before(queue, loanTo(2))).toEqual([])
    expect(before(queue, loanTo(3))).toEqual([queued(2, 1)])
  })

  it.each([
    ['ends the day before the loan', '2026-03-01', '2026-03-09', 0],
    ['ends on its first day', '2026-03-01', '2026-03-10', 1],
    ['begins on its last day', '2026-03-31', '2026-04-02', 1],
    ['begins the day after it', '2026-04-01', '2026-04-02', 0],
  ])('with dates hold only the days of the loan: one that %s', (_, start, end, count) => {
    expect(before([dated(2, start, end)], loanTo(1))).toHaveLength(count)
  })

  it('with dates stop even whoever was promised a copy, or stands in the queue', () => {
    const theirs = dated(2, '2026-03-12', '2026-03-14')
    expect(before([theirs, one(3)], loanTo(3))).toEqual([theirs])
    expect(before([theirs, queued(3, 1)], loanTo(3))).toEqual([theirs])
  })

  it('count the place of a reader who has one, whatever they hold for other days', () => {
    const later = dated(3, '2026-06-01', '2026-06-30')
    expect(ownReservation([later, queued(3, 2)], loanTo(3))).toEqual(queued(3, 2))
    expect(before([queued(2, 1), later, queued(3, 2), queued(4, 3)], loanTo(3))).toEqual([queued(2, 1)])
  })

  it('stop no copy but the one that is wished for or set aside', () => {
    expect(before([queued(2, 1, { copy_id: 51 })], loanTo(1))).toEqual([])
    expect(before([queued(2, 1, { copy_id: copy })], loanTo(1))).toHaveLength(1)
    expect(before([one(2, { set_aside_copy: 51 })], loanTo(1))).toEqual([])
    expect(before([dated(2, '2026-03-10', '2026-03-11', { copy_id: 51 })], loanTo(1))).toEqual([])
    expect(before([one(2, { set_aside_copy: copy })], loanTo(1))).toHaveLength(1)
  })

  it('stop the copy set aside, whichever was wished for', () => {
    expect(before([one(2, { set_aside_copy: copy, copy_id: 51 })], loanTo(1))).toHaveLength(1)
    expect(before([one(2, { set_aside_copy: 51, copy_id: copy })], loanTo(1))).toEqual([])
  })

  it('let whoever was promised a copy pass the queue, but not take the one set aside for another', () => {
    const promised = one(3)
    expect(before([queued(2, 1), promised, one(4)], loanTo(3))).toEqual([])
    expect(before([promised, one(4, { set_aside_copy: copy })], loanTo(3))).toEqual([
      one(4, { set_aside_copy: copy }),
    ])
  })

  it('let whoever has these days pass the queue', () => {
    expect(before([queued(2, 1), dated(3, '2026-03-10', '2026-03-31')], loanTo(3))).toEqual([])
  })

  it('of whoever was promised a copy stand before the first of the queue', () => {
    expect(before([one(4), queued(3, 1)], loanTo(3))).toEqual([one(4)])
    expect(before([one(4)], loanTo(3))).toEqual([one(4)])
  })

  const days = (start_date: string, end_date: string) => ({ start_date, end_date })
  const theirs = dated(2, '2026-03-12', '2026-03-14')

  it.each<[string, Reservation[], Capacity, number]>([
    ['a copy is left', [theirs], { copies: 2, loans: [] }, 0],
    ['it is the only one', [theirs], { copies: 1, loans: [] }, 1],
    ['the other is out', [theirs], { copies: 2, loans: [days('2026-03-01', '2026-03-12')] }, 1],
    ['the other is back before', [theirs], { copies: 2, loans: [days('2026-03-01', '2026-03-11')] }, 0],
    ['the other is late', [theirs], { copies: 2, loans: [days('2026-02-01', '2026-03-01')] }, 0],
    [
      'the other is late on the day it is for',
      [dated(2, '2026-03-08', '2026-03-14')],
      { copies: 2, loans: [days('2026-02-01', '2026-03-01')] },
      1,
    ],
    ['the other is for another', [theirs, dated(4, '2026-03-14', '2026-03-20')], { copies: 2, loans: [] }, 2],
    [
      'others want one after the other',
      [theirs, dated(4, '2026-03-15', '2026-03-20')],
      { copies: 2, loans: [] },
      0,
    ],
    ['the other is set aside', [theirs, one(4, { set_aside_copy: 51 })], { copies: 2, loans: [] }, 1],
    ['the reader has days too', [theirs, dated(1, '2026-03-10', '2026-03-31')], { copies: 2, loans: [] }, 0],
    ['this copy is wished for', [{ ...theirs, copy_id: copy }], { copies: 9, loans: [] }, 1],
    ['this copy is set aside', [{ ...theirs, set_aside_copy: copy }], { copies: 9, loans: [] }, 1],
  ])('with dates stop only where no copy is left for them: %s', (_, reservations, capacity, count) => {
    expect(before(reservations, loanTo(1), capacity)).toHaveLength(count)
  })

  it('with dates let copies be lent as long as every day of theirs keeps one', () => {
    const day = (at: number) => plusDays('2026-03-01', at)
    const span = fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 8 }))
      .map(([from, length]) => days(day(from), day(from + length)))
    const month = Array.from({ length: 31 }, (_, at) => day(at))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.array(span, { maxLength: 4 }),
        fc.array(span, { maxLength: 4 }),
        span,
        (copies, loans, asked, sought) => {
          const reservations = asked.map((one, at) => dated(10 + at, one.start_date, one.end_date))
          const out = loans.map((loan) => ({
            ...loan,
            end_date: loan.end_date < sought.start_date ? sought.start_date : loan.end_date,
          }))
          const isOn = (at: string) => (one: { start_date: string; end_date: string }) =>
            one.start_date <= at && at <= one.end_date
          const isShort = (at: string) =>
            isOn(at)(sought) && [...out, ...asked, sought].filter(isOn(at)).length > copies
          const stopped = asked.flatMap((one, at) =>
            month.some((each) => isOn(each)(one) && isShort(each)) ? [10 + at] : [],
          )
          const told = before(reservations, { reader: 1, copy, ...sought }, { copies, loans })
          expect(told.map(({ beneficiary_id }) => beneficiary_id)).toEqual(stopped)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('firstFullDay', () => {
  const days = (start_date: string, end_date: string) => ({ start_date, end_date })
  const sought = days('2026-03-10', '2026-03-20')

  it.each([
    ['nobody has one', [], 1, null],
    ['the only copy is out on the last day', [days('2026-03-20', '2026-03-25')], 1, '2026-03-20'],
    ['the only copy comes back on the first day', [days('2026-03-01', '2026-03-10')], 1, '2026-03-10'],
    [
      'all are before and after',
      [days('2026-03-01', '2026-03-09'), days('2026-03-21', '2026-03-22')],
      1,
      null,
    ],
    ['two follow each other', [days('2026-03-10', '2026-03-12'), days('2026-03-13', '2026-03-20')], 2, null],
    ['two meet', [days('2026-03-10', '2026-03-13'), days('2026-03-13', '2026-03-20')], 2, '2026-03-13'],
    ['there is no copy', [], 0, '2026-03-10'],
  ])('where %s', (_, others, copies, full) => {
    expect(firstFullDay(sought, others, copies)).toBe(full)
  })

  it('is what counting each day by itself says', () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 }))
      .map(([after, length]) => {
        const start_date = plusDays('2026-03-01', after)
        return days(start_date, plusDays(start_date, length))
      })
    fc.assert(
      fc.property(
        span,
        fc.array(span, { maxLength: 8 }),
        fc.integer({ min: 0, max: 4 }),
        (of, others, copies) => {
          let day = of.start_date
          const isFull = () =>
            others.filter((one) => one.start_date <= day && one.end_date >= day).length >= copies
          while (day <= of.end_date && !isFull()) day = plusDays(day, 1)
          expect(firstFullDay(of, others, copies)).toBe(day <= of.end_date ? day : null)
        },
      ),
    )
  })
})

describe('nextToServe', () => {
  const day = '2026-03-10'
  const served = (...reservations: Reservation[]) => nextToServe(reservations, copy, day)?.beneficiary_id

  it('is the first of the queue whom the copy can serve, however they are listed', () => {
    expect(served(queued(4, 3), queued(2, 1, { copy_id: 51 }), queued(3, 2), queued(5, 4))).toBe(3)
    expect(served(queued(2, 1, { copy_id: 51 }))).toBeUndefined()
    expect(served()).toBeUndefined()
  })

  it.each([
    ['begins in seven days', '2026-03-17', '2026-03-20', 3],
    ['begins in eight days', '2026-03-18', '2026-03-20', 2],
    ['ends today', '2026-03-01', '2026-03-10', 3],
    ['ended yesterday', '2026-03-01', '2026-03-09', 2],
  ])('before the queue is a dated one that %s', (_, start, end, reader) => {
    expect(served(queued(2, 1), dated(3, start, end))).toBe(reader)
  })

  it('is the dated one that begins first', () => {
    expect(served(dated(2, '2026-03-14', '2026-03-15'), dated(3, '2026-03-12', '2026-03-13'))).toBe(3)
    expect(served(dated(2, '2026-03-12', '2026-03-15'), dated(3, '2026-03-14', '2026-03-15'))).toBe(2)
  })

  it('is whom it was kept for, then a dated one, then whom a copy was promised', () => {
    const all = [queued(2, 1), one(3), dated(4, '2026-03-10', '2026-03-11'), one(5, { set_aside_copy: copy })]
    expect(served(...all)).toBe(5)
    expect(served(...all.slice(0, 3))).toBe(4)
    expect(served(...all.slice(0, 2))).toBe(3)
  })

  it('is nobody for whom another copy is kept, or who wishes for another', () => {
    expect(served(queued(2, 1), one(3, { set_aside_copy: 51 }))).toBe(2)
    expect(served(queued(2, 1), dated(3, day, day, { copy_id: 51 }))).toBe(2)
    expect(served(queued(2, 1), dated(3, day, day, { copy_id: copy }))).toBe(3)
  })
})

describe('pickupDeadline', () => {
  const open = { weekdays: [2, 3, 4, 5, 6], closures: [{ first_day: '2026-03-12', last_day: '2026-03-14' }] }

  it.each([
    [1, null, '2026-03-11'],
    [2, null, '2026-03-17'],
    [2, '2026-03-16', '2026-03-16'],
    [2, '2026-03-17', '2026-03-17'],
    [2, '2026-03-18', '2026-03-17'],
    // Where the library says so, as long as it takes.
    [0, null, null],
    [0, '2026-03-16', null],
  ])('is %i open days after, and no later than the reservation (%s)', (days, end_date, until) => {
    expect(pickupDeadline('2026-03-10', days, { end_date }, open)).toBe(until)
  })
})

describe('mayBecome', () => {
  const statuses = ['waiting', 'confirmed', 'canceled', 'refused'] as const

  it.each<[ReservationStatus, ReservationStatus[]]>([
    ['waiting', ['confirmed', 'canceled', 'refused']],
    ['confirmed', ['waiting', 'canceled', 'refused']],
    ['canceled', ['waiting']],
    ['refused', ['waiting']],
  ])('from %s is %j', (from, may) => {
    expect(statuses.filter((to) => mayBecome(from, to))).toEqual(may)
  })
})

describe('onStartDay', () => {
  // 10 March 2026 is a Tuesday.
  it.each([
    [null, '2026-03-10'],
    [1, '2026-03-16'],
    [2, '2026-03-10'],
    [3, '2026-03-11'],
    [7, '2026-03-15'],
  ])('moves forward to weekday %s of the medium', (start_day, day) => {
    expect(onStartDay('2026-03-10', start_day)).toBe(day)
  })
})
