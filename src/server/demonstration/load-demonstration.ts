import { sql } from 'kysely'

import { type CalendarDay, plusDays, weekdayOf } from '../../domain/calendar-day.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Trx } from '../db/handles.ts'
import { forgetOpenings } from '../library-facts/openings.ts'
import { forgetParameters } from '../library-facts/parameters.ts'
import { demonstrationAccounts } from '../session/demonstration-accounts.ts'
import { hashPassword } from '../session/password-hash.ts'
import { demonstrationName, seedDemonstration } from './seed-demonstration.ts'
import { isOpen, openDays } from './open-days.ts'
import { planLibrary } from './plan-library.ts'
import { writeCopies, writeReaders, writeReservations, writeWorks, type Writing } from './write-library.ts'
import { writeLoans } from './write-loans.ts'

/** Of a library of this size. */
const weeklyHours = 32

const weekdays = [1, 2, 3, 4, 5, 6, 7]

/** The week that the loans were invented in, and a closure ahead of all that is due. */
async function writeOpenings({ trx, today }: Pick<Writing, 'trx' | 'today'>): Promise<void> {
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

/** The furthest ranks of a purchase or first visit, and of an inscription's end. */
const furthest = { back: -1500, ahead: 320 }

/** Loads the same library each time, but for dates, once; throws where there are other things. */
export async function loadDemonstration(
  environment: Environment,
  options: { today: CalendarDay; onProgress?: (done: number, total: number, label: string) => void },
): Promise<void> {
  const { db } = environment
  const { demonstration } = await db
    .selectFrom('environment')
    .select('demonstration')
    .executeTakeFirstOrThrow()
  if (demonstration) return
  options.onProgress?.(0, 1, 'Lecture du catalogue')
  const plan = await planLibrary()
  const passwordHash = await hashPassword(demonstrationAccounts.password)
  const total =
    plan.works.length +
    plan.copies.length +
    plan.readers.length +
    plan.loans.length +
    plan.reservations.length
  let done = 0

  await db.transaction().execute(async (trx) => {
    await requireEmpty(trx)
    const writing: Writing = {
      trx,
      plan,
      furniture: await seedDemonstration(trx, passwordHash),
      dayOf: openDays(options.today, furthest.back, furthest.ahead),
      today: options.today,
      wrote: (rows, label) => {
        done += rows
        options.onProgress?.(done, total, label)
      },
    }
    const references = await writeWorks(writing)
    await writeCopies(writing, references)
    await writeReaders(writing)
    await writeLoans(writing)
    await writeReservations(writing, references)
    await writeOpenings(writing)
    await trx.updateTable('environment').set({ demonstration: true, name: demonstrationName }).execute()
  })
  forgetParameters(environment)
  forgetOpenings(environment)
  environment.demonstration = true
  environment.name = demonstrationName
  // The embedded engine does not gather statistics by itself.
  await sql`analyze`.execute(db)
}

const mustBeEmpty = [
  'references',
  'media',
  'categories',
  'locations',
  'copies',
  'beneficiaries',
  'relatives',
  'loanings',
  'reservations',
  'closures',
] as const

async function requireEmpty(trx: Trx): Promise<void> {
  for (const table of mustBeEmpty) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(trx)
    if (rows.length > 0) {
      throw new Error(
        'La démonstration ne se charge que dans une base vide\u202f: indiquez un autre DATA_DIR.',
      )
    }
    // Gives the numbers of an attempt that was cut short again.
    await sql`alter table ${sql.table(table)} alter column id restart with 1`.execute(trx)
  }
}
