import { sql } from 'kysely'

import { type CalendarDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'
import { isOpen } from './open-days.ts'
import type { Writing } from './write-library.ts'

/** Of a library of this size. */
const weeklyHours = 32

const weekdays = [1, 2, 3, 4, 5, 6, 7]

/** The week that the loans were invented in, and a closure ahead of all that is due. */
export async function writeOpenings({ trx, today }: Pick<Writing, 'trx' | 'today'>): Promise<void> {
  // Some loans are due today, whichever day it is shown: the door is open then.
  const open = weekdays.filter((weekday) => weekday === weekdayOf(today) || isOpen(weekday))
  await trx
    .updateTable('sites')
    .set({ open_weekdays: open, weekly_minutes: weeklyHours * 60 })
    .where('deleted_at', 'is', null)
    .execute()
  const { rows } = await sql<{ day: CalendarDay | null }>`
    select max(end_date) as day from loanings where status = 'in_progress'`.execute(trx)
  const first = nextMonday(rows[0]?.day ?? today)
  await trx
    .insertInto('closures')
    .values({
      site: null,
      first_day: first,
      last_day: plusDays(first, 6),
      label: 'Inventaire annuel',
      act: null,
      deleted_at: null,
    })
    .execute()
}

const nextMonday = (day: CalendarDay): CalendarDay => plusDays(day, 8 - weekdayOf(day))
