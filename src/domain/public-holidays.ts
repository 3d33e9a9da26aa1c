import { type CalendarDay, plusDays } from './calendar-day.ts'
import { calendarOf, isOpen, type Openings } from './open-days.ts'

type Holiday = { day: CalendarDay; label: string }

/** Easter Sunday of a year of the Gregorian calendar (Meeus, Jones, Butcher). */
export function easterOf(year: number): CalendarDay {
  const golden = year % 19
  const [century, ofCentury] = [Math.floor(year / 100), year % 100]
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  const written = (value: number, length: number) => String(value).padStart(length, '0')
  return `${written(year, 4)}-${written(Math.floor(days / 31), 2)}-${written((days % 31) + 1, 2)}`
}

/** The eleven of the French labour code, in their order. */
export function publicHolidays(year: number): Holiday[] {
  const easter = easterOf(year)
  const on = (day: string) => `${String(year).padStart(4, '0')}-${day}`
  return [
    { day: on('01-01'), label: 'Jour de l’an' },
    { day: plusDays(easter, 1), label: 'Lundi de Pâques' },
    { day: on('05-01'), label: 'Fête du Travail' },
    { day: on('05-08'), label: 'Victoire de 1945' },
    { day: plusDays(easter, 39), label: 'Ascension' },
    { day: plusDays(easter, 50), label: 'Lundi de Pentecôte' },
    { day: on('07-14'), label: 'Fête nationale' },
    { day: on('08-15'), label: 'Assomption' },
    { day: on('11-01'), label: 'Toussaint' },
    { day: on('11-11'), label: 'Armistice de 1918' },
    { day: on('12-25'), label: 'Noël' },
  ].sort((a, b) => a.day.localeCompare(b.day))
}

/** Whether each of these sites is closed on a day. */
export const isClosedAtAll = ({ weeks, closures }: Openings, day: CalendarDay): boolean =>
  weeks.every(({ site }) => !isOpen(day, calendarOf({ weeks, closures }, site)))

/** Whether most of those to come that fall on a day of opening are not closed yet; a long closure has some of them. */
export function areHolidaysLeft(year: number, openings: Openings, today: CalendarDay): boolean {
  const falling = publicHolidays(year).filter(
    ({ day }) => day >= today && !isClosedAtAll({ ...openings, closures: [] }, day),
  )
  const open = falling.filter(({ day }) => !isClosedAtAll(openings, day))
  return open.length * 2 > falling.length
}
