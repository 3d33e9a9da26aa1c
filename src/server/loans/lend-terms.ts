import type { CalendarDay } from '../../domain/calendar-day.ts'
import { calendarOf, nextOpenDay } from '../../domain/open-days.ts'
import {
  type Beyond,
  boundsOf,
  defaultDuration,
  type Duration,
  dueOn,
  termsBeyondBounds,
} from '../../domain/loan-rules.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Lend } from './by-code.ts'
import type { CirculatingCopy } from './circulating-copy.ts'
import { siteOfLoan } from './site-of-loan.ts'

type LendTerms = {
  start_date: CalendarDay
  duration: Duration
  dueByRules: CalendarDay
  end_date: CalendarDay
  endField: 'expected_return_date' | 'duration_value'
  beyond: Beyond[]
}

/** What the lender says, and the medium's rules for the rest. */
export function lendTerms(
  lend: Lend,
  copy: CirculatingCopy,
  day: CalendarDay,
  exchange: Exchange,
): LendTerms {
  const calendar = calendarOf(exchange.openings, siteOfLoan(copy, exchange))
  const start_date = lend.start_date ?? day
  const usual = defaultDuration(copy)
  const duration = {
    duration_value: lend.duration_value ?? usual.duration_value,
    duration_type: lend.duration_type ?? usual.duration_type,
  }
  const dueByRules = dueOn(start_date, duration, copy, copy.end_day, calendar)
  // Nobody can bring anything back on a closed day, whoever chose it.
  const end_date = lend.expected_return_date ? nextOpenDay(lend.expected_return_date, calendar) : dueByRules
  return {
    start_date,
    duration,
    dueByRules,
    end_date,
    endField: lend.expected_return_date ? 'expected_return_date' : 'duration_value',
    beyond: termsBeyondBounds(
      { start_date, end_date },
      { day, cycle: copy, medium: copy, calendar },
      boundsOf(exchange.parameters.number),
    ),
  }
}

export function lendWithinBounds(
  lend: Lend,
  copy: CirculatingCopy,
  day: CalendarDay,
  exchange: Exchange,
): Lend {
  const passes = (told: Lend, bound: Beyond['bound']) =>
    lendTerms(told, copy, day, exchange).beyond.some((one) => one.bound === bound)
  const isEarly = passes(lend, 'earliest_start_days')
  const isStartBeyond = isEarly || passes(lend, 'latest_start_days')
  const { start_date: _start, ...startless } = lend
  const begun: Lend = isStartBeyond ? startless : lend
  const { duration_value: _value, duration_type: _type, expected_return_date: due, ...endless } = begun
  const isOverBefore = isEarly && due !== undefined && due < day
  return isOverBefore || passes(begun, 'longest_loan_days') ? endless : begun
}
