import { describe, expect, it } from 'vitest'

import { type BoundedLoan, boundsOf, termsBeyondBounds } from '../../src/domain/loan-rules.ts'
import { alwaysOpen } from '../../src/domain/open-days.ts'

const bounds = { longest_loan_days: 366, earliest_start_days: 30 }
const day = '2026-03-10'
const loan = (changes: Partial<BoundedLoan['medium']> = {}): BoundedLoan => ({
  day,
  cycle: { cycle_type: null, cycle_value: null },
  medium: { duration: 3, duration_type: 'WEEK', end_day: null, ...changes },
  calendar: alwaysOpen,
})
const passed = (start_date: string, end_date: string, of = loan(), by = bounds) =>
  termsBeyondBounds({ start_date, end_date }, of, by)

it('do not call too long what only waits for an open day', () => {
  const closed = [{ first_day: '2027-03-11', last_day: '2027-03-20' }]
  const of = { ...loan(), calendar: { ...alwaysOpen, closures: closed } }
  expect(passed(day, '2027-03-21', of)).toEqual([])
  expect(passed(day, '2027-03-22', of)).toMatchObject([{ limit: '2027-03-21' }])
})

describe('the bounds of a loan', () => {
  it.each([
    ['2026-02-08', '2027-02-09'],
    [day, '2027-03-11'],
    ['2027-03-01', '2028-03-01'],
  ])('let a loan be from %s to %s', (start_date, end_date) => {
    expect(passed(start_date, end_date)).toEqual([])
  })

  it('say by how far a start is too early', () => {
    expect(passed('2026-02-07', '2026-03-31')).toEqual([
      {
        bound: 'earliest_start_days',
        days: 30,
        limit: '2026-02-08',
        message: 'La date de début remonte à plus de 30 jours\u202f: au plus tôt le 08/02/2026.',
      },
    ])
    expect(passed('2026-03-08', '2026-03-31', loan(), { ...bounds, earliest_start_days: 1 })).toMatchObject([
      { message: 'La date de début remonte à plus de 1 jour\u202f: au plus tôt le 09/03/2026.' },
    ])
    expect(passed('2026-03-09', day, loan(), { ...bounds, earliest_start_days: 0 })).toMatchObject([
      { limit: day },
    ])
  })

  it('say until when a loan may last', () => {
    expect(passed(day, '2027-03-12')).toEqual([
      {
        bound: 'longest_loan_days',
        days: 366,
        limit: '2027-03-11',
        message: 'Le prêt dure plus de 366 jours\u202f: retour prévu au plus tard le 11/03/2027.',
      },
    ])
    expect(passed('2025-12-01', '2036-03-10').map(({ bound }) => bound)).toEqual([
      'earliest_start_days',
      'longest_loan_days',
    ])
  })

  it('leave a medium its own duration, and no more', () => {
    const long = loan({ duration: 24, duration_type: 'MONTH' })
    expect(passed(day, '2028-03-10', long)).toEqual([])
    expect(passed(day, '2028-03-11', long)).toMatchObject([{ days: 731, limit: '2028-03-10' }])
  })

  it('leave a loan its days until the weekday on which its medium ends loans', () => {
    // 11 March 2027 is a Thursday.
    const monday = loan({ end_day: 1 })
    expect(passed(day, '2027-03-15', monday)).toEqual([])
    expect(passed(day, '2027-03-16', monday)).toMatchObject([{ days: 366, limit: '2027-03-15' }])
  })

  it('are those that are known', () => {
    expect(boundsOf((code) => ({ longest_loan_days: 90, earliest_start_days: 0 })[code])).toEqual({
      longest_loan_days: 90,
      earliest_start_days: 0,
    })
    const unknown = boundsOf(() => undefined)
    expect(passed('2020-01-01', '2036-01-01', loan(), unknown)).toEqual([])
  })
})
