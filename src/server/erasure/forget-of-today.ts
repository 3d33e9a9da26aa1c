import { sql } from 'kysely'
import type { Logger } from 'pino'

import { type CalendarDay, calendarDayOf, daysBetween, plusMonths } from '../../domain/calendar-day.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import { type Parameters, readParameters } from '../library-facts/parameters.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { cutLoansOf, measureCuts, peopleToCut } from './cut-loans.ts'
import { forgetInJournal, forgetTold } from './forget-in-journal.ts'

/** Somebody at the counter waits for the end of a step where the engine does one thing at a time. */
const readersAStep = 40
const everyMs = 10 * 60_000

/** The day before which what has ended is forgotten. */
export const forgottenBefore = (today: CalendarDay, months: number): CalendarDay => plusMonths(today, -months)

/** A clock that jumped ahead would forget for good what is not due: so long after the day before, somebody is asked again. */
const mostDaysApart = 40

/** `lapsedSince` is the last day that was done or agreed to, where the yes no longer holds for it lies too far back. */
export async function readAgreement(
  db: Db | Trx,
  { today, timezone }: { today: CalendarDay; timezone: string },
): Promise<{ isAgreed: boolean; lapsedSince: CalendarDay | null }> {
  const { rows } = await sql<{ agreed_on: CalendarDay | null; done_on: CalendarDay | null }>`
    select (select max((agreed_at at time zone ${timezone})::date) from forgetting_agreements where suspended_at is null) as agreed_on,
      (select max(day) from forgetting_days where day <= ${today}) as done_on`.execute(db)
  const { agreed_on = null, done_on = null } = rows[0] ?? {}
  if (agreed_on === null) return { isAgreed: false, lapsedSince: null }
  const last = done_on !== null && done_on > agreed_on ? done_on : agreed_on
  const isLapsed = daysBetween(last, today) > mostDaysApart
  return { isAgreed: !isLapsed, lapsedSince: isLapsed ? last : null }
}

/**
 * Forgets what is due on a library's day, once, after somebody agreed: the row of the day is claimed by whoever comes first,
 * and each step keeps its place in its own transaction.
 */
export async function forgetOfToday(
  { db }: Pick<Environment, 'db'>,
  { now, stopping }: { now: () => Date; stopping?: AbortSignal },
): Promise<void> {
  const parameters = await readParameters(db)
  const at = now()
  const timezone = parameters.get('timezone')
  const today = calendarDayOf(at, timezone)
  const isAgreed = async () => (await readAgreement(db, { today, timezone })).isAgreed
  if (!(await isAgreed()) || (await isDone(db, today))) return
  for (let steps = 1; ; steps += 1) {
    // Suspended meanwhile, the day is left where it is.
    if (stopping?.aborted || !(await isAgreed())) return
    const isLast = await db.transaction().execute((trx) => step(trx, { today, at, parameters }))
    if (isLast || steps === 1) await measureCuts(db)
    if (isLast) return
  }
}

const isDone = async (db: Db, today: CalendarDay): Promise<boolean> =>
  (await db
    .selectFrom('forgetting_days')
    .select('day')
    .where('day', '=', today)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/** Answers whether the day is done, here or by another process. */
async function step(
  trx: Trx,
  { today, at, parameters }: { today: CalendarDay; at: Date; parameters: Parameters },
): Promise<boolean> {
  await trx
    .insertInto('forgetting_days')
    .values({ day: today, started_at: at.toISOString(), ended_at: null })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const claimed = await trx
    .selectFrom('forgetting_days')
    .select('place')
    .where('day', '=', today)
    .where('ended_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!claimed) return true
  const before = forgottenBefore(today, parameters.number('retention_months'))
  const asked = { endedBefore: before, today, timezone: parameters.get('timezone') }
  const people = await peopleToCut(trx, { after: claimed.place, atMost: readersAStep }, asked)
  const loans = people.length === 0 ? [] : await cutLoansOf(trx, people, asked)
  let lines = loans.length === 0 ? 0 : await forgetInJournal(trx, 'loanings', loans)
  const isLast = people.length < readersAStep
  const rest = isLast ? await forgetTheRest(trx, before) : { reservations: 0, mails: 0, lines: 0 }
  lines += rest.lines
  await trx
    .updateTable('forgetting_days')
    .set((row) => ({
      place: people.at(-1) ?? claimed.place,
      readers: row('readers', '+', people.length),
      loans: row('loans', '+', loans.length),
      reservations: row('reservations', '+', rest.reservations),
      mails: row('mails', '+', rest.mails),
      journal_lines: row('journal_lines', '+', lines),
      ...(isLast ? { ended_at: at.toISOString() } : {}),
    }))
    .where('day', '=', today)
    .execute()
  return isLast
}

/** Reservations that are over, what was written to readers, and how refused actions were settled. */
async function forgetTheRest(trx: Trx, before: CalendarDay) {
  const over = await sql<{ id: number }>`
    delete from reservations v where v.reservation_date < ${before}::timestamptz
      and (v.deleted_at is not null or v.status in ('canceled', 'refused')
        or exists (select from loanings l where l.id = v.fulfilled_by and l.beneficiary is null))
    returning v.id`.execute(trx)
  const ids = over.rows.map(({ id }) => id)
  const lines = ids.length === 0 ? 0 : await forgetInJournal(trx, 'reservations', ids)
  const { numDeletedRows } = await trx
    .deleteFrom('mail_outbox')
    .where('created_at', '<', before)
    .where('status', '!=', 'queued')
    .executeTakeFirst()
  await trx.deleteFrom('letters').where('made_on', '<', before).where('printed_at', 'is not', null).execute()
  await sql`
    update settlements set action = '{}', reason = null, motive = null
    where settled_at < ${before}::date and action <> '{}'`.execute(trx)
  return {
    reservations: ids.length,
    mails: Number(numDeletedRows),
    lines: lines + (await forgetTold(trx, before)),
  }
}

export const startForgetting = (settings: {
  environments: LoopSettings['environments']
  logger: Logger
}): BackgroundLoop =>
  startLoop({
    ...settings,
    pollEvery: everyMs,
    outOfReach: 'what is to be forgotten is out of reach',
    look: (environment, stopping) => forgetOfToday(environment, { now: () => new Date(), stopping }),
  })
