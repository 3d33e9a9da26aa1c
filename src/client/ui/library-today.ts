import { createContext } from 'react'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'

const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Today in the library's zone, or the device's by default. */
export const LibraryToday = createContext((): CalendarDay => calendarDayOf(new Date(), deviceZone))
