import { isCalendarDay } from '../domain/calendar-day.ts'
import type { FilterField, Operator } from './list.ts'

export const longestText = 200
export const mostValues = 500
/** Of PostgreSQL's integer keys. */
export const largestId = 2_147_483_647

/** Whether a list accepts a value from an address; an empty one switches the filter off. */
export function fits(filter: FilterField, operator: Operator, value: string): boolean {
  if (value === '') return true
  if (operator === 'nil') return isFlag(value)
  const values = operator === 'in' ? value.split(',') : [value]
  return values.length <= mostValues && values.every((one) => fitsOne(filter, one))
}

const isFlag = (value: string) => value === '0' || value === '1'

function fitsOne(filter: FilterField, value: string): boolean {
  switch (filter.type) {
    case 'id':
      return /^\d{1,10}$/.test(value) && Number(value) <= largestId
    case 'day':
      return isCalendarDay(value)
    case 'flag':
      return isFlag(value)
    case 'choice':
      return filter.values.includes(value)
    case 'text':
      return value.length <= longestText && !value.includes('\0')
  }
}
