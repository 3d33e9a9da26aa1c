import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'
import { useParameter } from '../settings/parameter-data.ts'

/** Today where the library is. */
export const useToday = (): CalendarDay =>
  calendarDayOf(new Date(), useParameter('timezone') ?? 'Europe/Paris')
