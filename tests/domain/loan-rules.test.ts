import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { daysBetween, plusDays, weekdayOf } from '../../src/domain/calendar-day.ts'
import {
  type BoundedLoan,
  boundsOf,
  type Cycle,
  defaultDuration,
  dueOn,
  type Duration,
  durationTypes,
  durationWords,
  type EligibilityFacts,
  eligibilityRefusals,
  extendedDueOn,
  extensionOf,
  isDurationValue,
  isLate,
  loanAmount,
  penaltyOf,
  renewalRefusal,
  stepsToDue,
  termsBeyondBounds,
  unitsOf,
} from '../../src/domain/loan-rules.ts'
import { alwaysOpen, isOpen, type OpenCalendar } from '../../src/domain/open-days.ts'
import { anyCalendar, anyDay } from './any-days.ts'

const noCycle: Cycle = { cycle_type: null, cycle_value: null }
const lasting = (duration_value: number, duration_type: Duration['duration_type']): Duration => ({
  duration_value,
  duration_type,
})
const shut = (first_day: string, last_day = first_day): OpenCalendar => ({
  ...alwaysOpen,
  closures: [{ first_day, last_day }],
})

const anyLoan = fc.record({
  start: anyDay,
  duration: fc.record({
    duration_value: fc.integer({ min: 1, max: 40 }),
    duration_type: fc.constantFrom('DAY', 'WEEK', 'MONTH', 'CYCLE'),
  }),
  cycle: fc.record({
    cycle_type: fc.constantFrom('DAY' as const, 'WEEK' as const, 'MONTH' as const, null),
    cycle_value: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
  end_day: fc.option(fc.integer({ min: 1, max: 7 })),
})

describe('isDurationValue', () => {
  it.each([
    [-1, false],
    [0, false],
    [0.5, false],
    [1, true],
    [1.5, false],
    [2, true],
    [1000, true],
    [1001, false],
    [NaN, false],
  ])('takes %d: %s', (value, isOne) => {
    expect(isDurationValue(value)).toBe(isOne)
  })
})

describe('durationWords', () => {
  it.each([
    [1, 'MONTH', '1 mois'],
    [2, 'MONTH', '2 mois'],
    [1, 'WEEK', '1 semaine'],
    [3, 'WEEK', '3 semaines'],
    [1, 'DAY', '1 jour'],
    [2, 'DAY', '2 jours'],
    [1, 'CYCLE', '1 cycle'],
    [4, 'CYCLE', '4 cycles'],
  ] as const)('says %i %s as sentences do: %s', (value, type, words) => {
    expect(durationWords(lasting(value, type))).toBe(words)
  })
})

it('unitsOf says units as sentences do, and durationTypes as file 1 writes them where one is chosen', () => {
  expect((['MONTH', 'WEEK', 'DAY', 'CYCLE'] as const).map(unitsOf)).toEqual([
    'mois',
    'semaines',
    'jours',
    'cycles',
  ])
  expect(Object.values(durationTypes)).toEqual(['Mois', 'Semaine(s)', 'Jour(s)', 'Cycle(s)'])
})

describe('defaultDuration', () => {
  it.each([
    [3, 'WEEK', lasting(3, 'WEEK')],
    [1, 'CYCLE', lasting(1, 'CYCLE')],
    [null, 'WEEK', lasting(1, 'DAY')],
    [3, null, lasting(1, 'DAY')],
    [null, null, lasting(1, 'DAY')],
    [0, 'WEEK', lasting(1, 'DAY')],
  ] as const)('of a medium of %s %s', (duration, duration_type, own) => {
    expect(defaultDuration({ duration, duration_type })).toEqual(own)
  })
})

describe('dueOn', () => {
  it.each([
    ['adds days', '2026-03-10', lasting(1, 'DAY'), '2026-03-11'],
    ['adds days into another year', '2026-12-30', lasting(3, 'DAY'), '2027-01-02'],
    ['adds weeks', '2026-03-10', lasting(3, 'WEEK'), '2026-03-31'],
    ['keeps the day of the month', '2026-03-10', lasting(2, 'MONTH'), '2026-05-10'],
    ['takes the last day of a shorter month', '2026-01-31', lasting(1, 'MONTH'), '2026-02-28'],
    ['takes 29 February where there is one', '2028-01-31', lasting(1, 'MONTH'), '2028-02-29'],
  ] as const)('%s', (_, start, duration, due) => {
    expect(dueOn(start, duration, noCycle, null, alwaysOpen)).toBe(due)
  })

  it.each([
    [{ cycle_value: 2, cycle_type: 'DAY' }, 3, '2026-03-16'],
    [{ cycle_value: 2, cycle_type: 'WEEK' }, 1, '2026-03-24'],
    [{ cycle_value: 1, cycle_type: 'MONTH' }, 2, '2026-05-10'],
    [{ cycle_value: null, cycle_type: 'WEEK' }, 2, '2026-03-24'],
    [{ cycle_value: 5, cycle_type: null }, 2, '2026-03-20'],
    [noCycle, 3, '2026-03-13'],
  ] as const)('counts cycles of %j, %i of them', (cycle, count, due) => {
    expect(dueOn('2026-03-10', lasting(count, 'CYCLE'), cycle, null, alwaysOpen)).toBe(due)
  })

  it('leaves the cycle of a copy alone where days are counted', () => {
    const cycle: Cycle = { cycle_value: 2, cycle_type: 'WEEK' }
    expect(dueOn('2026-03-10', lasting(3, 'DAY'), cycle, null, alwaysOpen)).toBe('2026-03-13')
  })

  // 10 March 2026 is a Tuesday, and a week later too.
  it.each([
    [1, '2026-03-23'],
    [2, '2026-03-17'],
    [3, '2026-03-18'],
    [7, '2026-03-22'],
  ])('moves forward to weekday %i of the medium', (end_day, due) => {
    expect(dueOn('2026-03-10', lasting(1, 'WEEK'), noCycle, end_day, alwaysOpen)).toBe(due)
  })

  it.each([
    [null, '2026-03-17', '2026-03-18'],
    // A Friday that is closed is no reason to wait for the next.
    [5, '2026-03-20', '2026-03-21'],
    [5, '2026-03-17', '2026-03-20'],
  ])('with weekday %s of the medium and closed on %s is on %s', (end_day, closed, due) => {
    expect(dueOn('2026-03-10', lasting(1, 'WEEK'), noCycle, end_day, shut(closed))).toBe(due)
  })
})

describe('stepsToDue', () => {
  it('tells the day that is counted, the one that is wanted and the one that is due', () => {
    expect(
      stepsToDue('2026-03-10', lasting(1, 'WEEK'), noCycle, 5, shut('2026-03-20', '2026-03-22')),
    ).toEqual({ counted: '2026-03-17', wanted: '2026-03-20', due: '2026-03-23' })
  })

  it('wants a day of the medium’s weekday within a week, and is due on the first open day from it', () => {
    fc.assert(
      fc.property(anyLoan, anyCalendar, (of, open) => {
        const { counted, wanted, due } = stepsToDue(of.start, of.duration, of.cycle, of.end_day, open)
        expect(wanted >= counted && daysBetween(counted, wanted) < 7).toBe(true)
        expect(weekdayOf(wanted)).toBe(of.end_day ?? weekdayOf(counted))
        expect(isOpen(due, open)).toBe(true)
        for (let before = wanted; before < due; before = plusDays(before, 1)) {
          expect(isOpen(before, open)).toBe(false)
        }
      }),
    )
  })
})

describe('extensionOf', () => {
  const loan = {
    ...lasting(2, 'WEEK'),
    start_date: '2026-03-10',
    end_date: '2026-03-26',
    end_date_flagged: false,
  }

  it('counts the duration and what is added from the start', () => {
    expect(extensionOf(loan, 1)).toEqual(['2026-03-10', lasting(3, 'WEEK')])
    expect(extensionOf(loan, 2)).toEqual(['2026-03-10', lasting(4, 'WEEK')])
  })

  it('counts what is added alone from a return date that is against the rules', () => {
    expect(extensionOf({ ...loan, end_date_flagged: true }, 1)).toEqual(['2026-03-26', lasting(1, 'WEEK')])
    expect(extensionOf({ ...loan, end_date_flagged: true }, 3)).toEqual(['2026-03-26', lasting(3, 'WEEK')])
  })
})

describe('extendedDueOn', () => {
  it.each([
    ['weeks', lasting(2, 'WEEK'), '2026-03-10', 1, '2026-03-31'],
    ['days', lasting(7, 'DAY'), '2026-03-10', 7, '2026-03-24'],
    // From 31 January, so that two months once one was added end on a 31st again.
    ['months', lasting(1, 'MONTH'), '2026-01-31', 1, '2026-03-31'],
  ] as const)('adds %s to what was counted from the start', (_, duration, start_date, added, due) => {
    const loan = { ...duration, start_date, end_date: '2026-03-26', end_date_flagged: false }
    expect(extendedDueOn(loan, added, noCycle, null, alwaysOpen)).toBe(due)
  })

  it('goes on from a return date that is against the rules', () => {
    const loan = {
      ...lasting(2, 'WEEK'),
      start_date: '2026-03-10',
      end_date: '2026-04-02',
      end_date_flagged: true,
    }
    expect(extendedDueOn(loan, 1, noCycle, null, alwaysOpen)).toBe('2026-04-09')
  })

  it('counts cycles, moves to the medium’s weekday and past closed days', () => {
    const loan = {
      ...lasting(1, 'CYCLE'),
      start_date: '2026-03-10',
      end_date: '2026-03-24',
      end_date_flagged: false,
    }
    const cycle: Cycle = { cycle_value: 2, cycle_type: 'WEEK' }
    expect(extendedDueOn(loan, 1, cycle, 5, shut('2026-04-10'))).toBe('2026-04-11')
  })

  it('is on an open day that is never before the one it extends', () => {
    fc.assert(
      fc.property(
        anyLoan,
        anyCalendar,
        fc.integer({ min: 1, max: 30 }),
        fc.boolean(),
        (of, open, added, end_date_flagged) => {
          const end_date = dueOn(of.start, of.duration, of.cycle, of.end_day, open)
          const lent = { ...of.duration, start_date: of.start, end_date, end_date_flagged }
          const extended = extendedDueOn(lent, added, of.cycle, of.end_day, open)
          expect(isOpen(extended, open)).toBe(true)
          expect(extended >= end_date).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('boundsOf', () => {
  it('has those that are known, zero among them', () => {
    const known = { longest_loan_days: 90, earliest_start_days: 0, latest_start_days: 7 }
    expect(boundsOf((code) => known[code])).toEqual({
      longest_loan_days: 90,
      earliest_start_days: 0,
      latest_start_days: 7,
    })
  })

  it('leaves what is not known without end', () => {
    expect(boundsOf(() => undefined)).toEqual({
      longest_loan_days: Infinity,
      earliest_start_days: Infinity,
      latest_start_days: Infinity,
    })
  })
})

describe('termsBeyondBounds', () => {
  const bounds = { longest_loan_days: 366, earliest_start_days: 30, latest_start_days: 90 }
  const day = '2026-03-10'
  const loan = (changes: Partial<BoundedLoan['medium']> = {}): BoundedLoan => ({
    day,
    cycle: noCycle,
    medium: { duration: 3, duration_type: 'WEEK', end_day: null, ...changes },
    calendar: alwaysOpen,
  })
  const passed = (start_date: string, end_date: string, of = loan(), by = bounds) =>
    termsBeyondBounds({ start_date, end_date }, of, by)

  it.each([
    ['2026-02-08', '2027-02-09'],
    [day, '2027-03-11'],
    ['2026-06-08', '2027-03-11'],
  ])('lets a loan be from %s to %s', (start_date, end_date) => {
    expect(passed(start_date, end_date)).toEqual([])
  })

  it('says by how far a start is too early', () => {
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
    expect(passed('2026-03-07', '2026-03-31', loan(), { ...bounds, earliest_start_days: 2 })).toMatchObject([
      { message: 'La date de début remonte à plus de 2 jours\u202f: au plus tôt le 08/03/2026.' },
    ])
    expect(passed('2026-03-09', day, loan(), { ...bounds, earliest_start_days: 0 })).toMatchObject([
      { limit: day },
    ])
  })

  it('says by how far a start is too late', () => {
    expect(passed('2026-06-09', '2026-06-30')).toEqual([
      {
        bound: 'latest_start_days',
        days: 90,
        limit: '2026-06-08',
        message: 'La date de début est dans plus de 90 jours\u202f: au plus tard le 08/06/2026.',
      },
    ])
  })

  it('counts a loan that begins later from the day of lending, but leaves its medium its own duration', () => {
    expect(passed('2026-06-08', '2027-03-12')).toEqual([
      {
        bound: 'longest_loan_days',
        days: 366,
        limit: '2027-03-11',
        message:
          'Le prêt dure plus de 366 jours, compté du 10/03/2026\u202f: retour prévu au plus tard le 11/03/2027.',
      },
    ])
    const year = loan({ duration: 12, duration_type: 'MONTH' })
    expect(passed('2026-06-08', '2027-06-08', year)).toEqual([])
    expect(passed('2026-06-08', '2027-06-09', year)).toMatchObject([{ days: 455, limit: '2027-06-08' }])
  })

  it('judges no start again that was accepted, but still counts from the day of lending', () => {
    const accepted = { ...loan(), day: '2026-09-01', lent_on: day }
    expect(passed('2026-09-01', '2027-03-11', accepted)).toEqual([])
    expect(passed('2026-09-01', '2027-03-12', accepted)).toMatchObject([{ bound: 'longest_loan_days' }])
  })

  it('says until when a loan may last', () => {
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

  it('leaves a medium its own duration, and no more', () => {
    const long = loan({ duration: 24, duration_type: 'MONTH' })
    expect(passed(day, '2028-03-10', long)).toEqual([])
    expect(passed(day, '2028-03-11', long)).toMatchObject([{ days: 731, limit: '2028-03-10' }])
  })

  it('leaves a loan its days until the weekday on which its medium ends loans', () => {
    // 11 March 2027 is a Thursday.
    const monday = loan({ end_day: 1 })
    expect(passed(day, '2027-03-15', monday)).toEqual([])
    expect(passed(day, '2027-03-16', monday)).toMatchObject([{ days: 366, limit: '2027-03-15' }])
  })

  it('calls not too long what only waits for an open day', () => {
    const of = { ...loan(), calendar: shut('2027-03-11', '2027-03-20') }
    expect(passed(day, '2027-03-21', of)).toEqual([])
    expect(passed(day, '2027-03-22', of)).toMatchObject([{ limit: '2027-03-21' }])
  })

  it('passes no bound that is not known', () => {
    expect(
      passed(
        '2020-01-01',
        '2036-01-01',
        loan(),
        boundsOf(() => undefined),
      ),
    ).toEqual([])
  })
})

describe('renewalRefusal', () => {
  const medium = (max_renewals: number | null) => ({ name: 'DVD', max_renewals })

  it('lets a loan be extended as often as its medium says, and without end where it says nothing', () => {
    expect(renewalRefusal(1, medium(2))).toBeNull()
    expect(renewalRefusal(2, medium(2))).toBe(
      'Ce prêt a déjà été prolongé 2 fois, autant que le permet le support «\u00a0DVD\u00a0».',
    )
    expect(renewalRefusal(3, medium(2))).toContain('prolongé 3 fois')
    expect(renewalRefusal(99, medium(null))).toBeNull()
  })

  it('says it of the medium where it lets none be extended', () => {
    expect(renewalRefusal(0, medium(0))).toBe('Les prêts du support «\u00a0DVD\u00a0» ne se prolongent pas.')
    expect(renewalRefusal(1, medium(0))).toBe('Les prêts du support «\u00a0DVD\u00a0» ne se prolongent pas.')
  })
})

describe('isLate', () => {
  it.each([
    ['is out, the day before', null, '2026-03-09', false],
    ['is out, the day itself', null, '2026-03-10', false],
    ['is out, the day after', null, '2026-03-11', true],
    ['came back the day before', '2026-03-09', '2026-04-01', false],
    ['came back the day itself', '2026-03-10', '2026-04-01', false],
    ['came back the day after', '2026-03-11', '2026-04-01', true],
  ])('of a loan due on 10 March that %s', (_, return_date, today, late) => {
    expect(isLate({ end_date: '2026-03-10', return_date }, today)).toBe(late)
  })
})

describe('penaltyOf', () => {
  const medium = { penalty_enabled: true, penalty_amount: '0.50', penalty_duration_type: 'DAY' } as const
  const after = (grace_days: number, open_days_only = false) => ({ grace_days, open_days_only })
  const late = (return_date: string) => ({ end_date: '2026-03-10', return_date })

  it.each([
    ['before it is due', '2026-03-09', 0],
    ['on the day', '2026-03-10', 0],
    ['on the last day of grace', '2026-03-12', 2],
  ])('is none for what comes back %s', (_, return_date, grace) => {
    expect(penaltyOf(late(return_date), after(grace), medium, alwaysOpen)).toBeNull()
  })

  it('is for each day after the grace', () => {
    expect(penaltyOf(late('2026-03-11'), after(0), medium, alwaysOpen)).toEqual({
      penalty_count: 1,
      penalty_duration: 1,
      penalty_amount: '0.50',
    })
    expect(penaltyOf(late('2026-03-13'), after(2), medium, alwaysOpen)).toMatchObject({ penalty_duration: 1 })
    expect(penaltyOf(late('2026-03-20'), after(2), medium, alwaysOpen)).toEqual({
      penalty_count: 8,
      penalty_duration: 8,
      penalty_amount: '4.00',
    })
  })

  it('is none for a medium that has none', () => {
    expect(
      penaltyOf(late('2026-04-10'), after(0), { ...medium, penalty_enabled: false }, alwaysOpen),
    ).toBeNull()
  })

  it('is counted in days where the medium names no unit, and of nothing where it names no amount', () => {
    const bare = { penalty_enabled: true, penalty_amount: null, penalty_duration_type: null }
    expect(penaltyOf(late('2026-03-18'), after(0), bare, alwaysOpen)).toEqual({
      penalty_count: 8,
      penalty_duration: 8,
      penalty_amount: '0.00',
    })
  })

  it.each([
    ['WEEK', '2026-03-11', 1],
    ['WEEK', '2026-03-17', 1],
    ['WEEK', '2026-03-18', 2],
    ['WEEK', '2026-03-24', 2],
    ['MONTH', '2026-03-11', 1],
    ['MONTH', '2026-04-10', 1],
    ['MONTH', '2026-04-11', 2],
    ['MONTH', '2026-06-10', 3],
    ['MONTH', '2026-06-11', 4],
  ] as const)('counts started units (%s): back on %s, %i', (penalty_duration_type, return_date, count) => {
    const by = { ...medium, penalty_duration_type }
    expect(penaltyOf(late(return_date), after(0), by, alwaysOpen)).toMatchObject({ penalty_count: count })
  })

  it('counts started units after the grace alone', () => {
    const weekly = { ...medium, penalty_duration_type: 'WEEK' } as const
    expect(penaltyOf(late('2026-03-18'), after(1), weekly, alwaysOpen)).toMatchObject({ penalty_count: 1 })
    expect(penaltyOf(late('2026-03-18'), after(0), weekly, alwaysOpen)).toMatchObject({
      penalty_amount: '1.00',
    })
  })

  it('counts open days alone, grace included, where the library says so, and else every day', () => {
    // Sundays and Mondays, and a week's closure of which five days are left.
    const open = {
      weekdays: [2, 3, 4, 5, 6],
      closures: [{ first_day: '2026-03-17', last_day: '2026-03-22' }],
    }
    expect(penaltyOf(late('2026-03-20'), after(2, true), medium, open)).toEqual({
      penalty_count: 2,
      penalty_duration: 2,
      penalty_amount: '1.00',
    })
    expect(penaltyOf(late('2026-03-20'), after(4, true), medium, open)).toBeNull()
    expect(penaltyOf(late('2026-03-20'), after(2), medium, open)).toMatchObject({ penalty_duration: 8 })
  })
})

describe('eligibilityRefusals', () => {
  const everyone = { contracts: [], statuses: [], dossiers: [] }
  type Told = Partial<EligibilityFacts['beneficiary']>
  type Rules = Partial<EligibilityFacts['medium']>
  const refusals = (
    beneficiary: Told = {},
    medium: Rules = {},
    counts: { open_loans?: number; late_loans?: number } = {},
  ) =>
    eligibilityRefusals({
      start_date: '2026-03-10',
      beneficiary: {
        exit_date: null,
        is_active: true,
        contract_type: null,
        beneficiary_status: null,
        dossiers: [],
        ...beneficiary,
      },
      medium: { name: 'DVD', max_loaning: null, max_late: null, eligibility: everyone, ...medium },
      open_loans: 0,
      late_loans: 0,
      ...counts,
    })
  const codes = (...facts: Parameters<typeof refusals>) => refusals(...facts).map(({ code }) => code)
  const only = (allowed: Partial<typeof everyone> | Record<string, string[]>): Rules => ({
    eligibility: { ...everyone, ...allowed },
  })

  it.each<[what: string, refused: string[], ...facts: Parameters<typeof refusals>]>([
    ['someone without anything where nothing is asked', []],
    ['someone who is not active any more', ['INACTIVE'], { is_active: false }],
    ['someone who left the day before', ['EXPIRED'], { exit_date: '2026-03-09' }],
    ['someone who leaves on the day', ['EXPIRED'], { exit_date: '2026-03-10' }],
    ['someone who leaves the day after', [], { exit_date: '2026-03-11' }],
    ['a contract that is allowed', [], { contract_type: 'B' }, only({ contracts: ['A', 'B'] })],
    ['another contract', ['CONTRACT'], { contract_type: 'C' }, only({ contracts: ['A', 'B'] })],
    ['no contract where one is asked', ['CONTRACT'], {}, only({ contracts: ['A'] })],
    ['any contract where none is asked', [], { contract_type: 'C' }],
    ['a status that is allowed', [], { beneficiary_status: 'A' }, only({ statuses: ['A'] })],
    ['another status', ['STATUS'], { beneficiary_status: 'B' }, only({ statuses: ['A'] })],
    ['no status where one is asked', ['STATUS'], {}, only({ statuses: ['A'] })],
    ['one dossier of those that are allowed', [], { dossiers: ['X', 'B'] }, only({ dossiers: ['A', 'B'] })],
    ['dossiers of which none is allowed', ['DOSSIER'], { dossiers: ['X'] }, only({ dossiers: ['A', 'B'] })],
    ['no dossier where one is asked', ['DOSSIER'], {}, only({ dossiers: ['A'] })],
    ['one loan fewer than the limit', [], {}, { max_loaning: 3 }, { open_loans: 2 }],
    ['as many loans as the limit', ['MAX_LOANING'], {}, { max_loaning: 3 }, { open_loans: 3 }],
    ['more loans than the limit', ['MAX_LOANING'], {}, { max_loaning: 3 }, { open_loans: 4 }],
    ['anyone where the limit is no loan', ['MAX_LOANING'], {}, { max_loaning: 0 }],
    ['any loans without a limit', [], {}, {}, { open_loans: 100, late_loans: 100 }],
    ['as many late loans as the limit', [], {}, { max_late: 1 }, { late_loans: 1 }],
    ['one late loan more than the limit', ['MAX_LATE'], {}, { max_late: 1 }, { late_loans: 2 }],
    ['no late loan where none may be', [], {}, { max_late: 0 }],
    ['one late loan where none may be', ['MAX_LATE'], {}, { max_late: 0 }, { late_loans: 1 }],
  ])('of %s: %j', (_, refused, ...facts) => {
    expect(codes(...facts)).toEqual(refused)
  })

  it('tells every reason, each with the rule it comes from', () => {
    expect(
      refusals(
        { is_active: false, exit_date: '2026-02-01' },
        { ...only({ contracts: ['A'], statuses: ['A'], dossiers: ['A'] }), max_loaning: 3, max_late: 0 },
        { open_loans: 4, late_loans: 2 },
      ).map(({ message }) => message),
    ).toEqual([
      'Le lecteur n’est plus actif.',
      'L’inscription a pris fin le 01/02/2026.',
      'Le contrat du lecteur ne permet pas d’emprunter le support «\u00a0DVD\u00a0».',
      'Le statut du lecteur ne permet pas d’emprunter le support «\u00a0DVD\u00a0».',
      'Aucun dossier du lecteur ne permet d’emprunter le support «\u00a0DVD\u00a0».',
      'Le nombre de prêts en cours du support «\u00a0DVD\u00a0» est atteint (3).',
      'Le lecteur a 2 prêts en retard (au plus 0).',
    ])
    expect(refusals({}, { max_late: 0 }, { late_loans: 1 })).toEqual([
      { code: 'MAX_LATE', message: 'Le lecteur a 1 prêt en retard (au plus 0).' },
    ])
  })
})

describe('loanAmount', () => {
  it.each([
    ['0.25', 3, false, '0.75'],
    ['2.50', 1, false, '2.50'],
    ['0.00', 3, false, '0.00'],
    ['0.25', 3, true, '0.00'],
  ])('of %s for %i, free %s', (price, duration, free, amount) => {
    expect(loanAmount(price, duration, free)).toBe(amount)
  })
})
