import { createContext } from 'react'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'

const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Tells today where the library is, as the app knows it; without it, where the device is. */
export const LibraryToday = createContext((): CalendarDay => calendarDayOf(new Date(), deviceZone))
