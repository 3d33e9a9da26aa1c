import { isCalendarDay } from '../domain/calendar-day.ts'
import type { FilterField, Operator } from './list.ts'

/** The longest text that a filter may hold. */
export const longestText = 200
/** How many values one filter may have. */
export const mostValues = 500
/** Largest id of the database's integer keys. */
export const largestId = 2_147_483_647

/** Whether a list knows what to do with a value written in an address; an empty one switches a filter off. */
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
