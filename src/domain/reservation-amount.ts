import { type CalendarDay, daysBetween, plusMonths } from './calendar-day.ts'
import { defaultDuration, type DurationType, loanAmount } from './loan-rules.ts'
import type { Money } from './money.ts'

type Asked = { start_date: CalendarDay | null; end_date: CalendarDay | null; cycle_value: number | null }
type Lent = { duration: number | null; duration_type: DurationType | null }

/** What the loan is likely to cost: price by started units of its days, else by the medium's usual duration. */
export const estimatedAmount = (price: Money, asked: Asked, medium: Lent): Money =>
  loanAmount(price, unitsAsked(asked, medium), false)

function unitsAsked({ start_date, end_date, cycle_value }: Asked, medium: Lent): number {
  const { duration_value, duration_type } = defaultDuration(medium)
  if (duration_type === 'CYCLE') return cycle_value ?? duration_value
  if (start_date === null || end_date === null) return duration_value
  const days = Math.max(1, daysBetween(start_date, end_date))
  if (duration_type === 'DAY') return days
  if (duration_type === 'WEEK') return Math.ceil(days / 7)
  let months = 1
  while (plusMonths(start_date, months) < end_date) months += 1
  return months
}
