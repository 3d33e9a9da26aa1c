import { readCalendar as readCalendarCall } from '../../contract/calendar.ts'
import { longRead } from '../http/binding.ts'
import { readCalendar } from './read-calendar.ts'

export const calendarRoutes = [longRead(readCalendarCall, readCalendar)]
