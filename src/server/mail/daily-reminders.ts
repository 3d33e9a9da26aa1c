import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'

import { type CalendarDay, calendarDayOf } from '../../domain/calendar-day.ts'
import { type DailyLevel, dailyLevels, lateLevels } from '../../domain/mail-occasions.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db, Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import { type Parameters, readParameters } from '../library-facts/parameters.ts'
import { linkBase } from '../http/link-base.ts'
import { type BackgroundLoop, type LoopSettings, startLoop } from '../jobs/background-loop.ts'
import { findMailRenderer, queueMails } from '../writing/queue-mail.ts'
import { listLoanMailRecipients, type LoanMailRecipient, loanMailVariables } from './loan-mail-queries.ts'
import { makeLetters, noteReminded } from './note-reminders.ts'
import { brokenTemplate } from './template-rows.ts'

/** Somebody at the counter waits for the end of a step where the engine does one thing at a time. */
const readersAStep = 40
const everyMs = 60_000

type Library = Pick<Environment, 'id' | 'db'>
type Looking = { now: () => Date; publicUrl?: string; stopping?: AbortSignal; onStep?: () => void }
type Level = { code: DailyLevel; days: number }

/**
 * Writes what is to be written on a library's day, once: the row of the day is claimed by whoever comes first,
 * and each step keeps its place in the transaction that queues its mails.
 */
export async function remindOfToday({ db }: Library, { now, ...how }: Looking): Promise<void> {
  const parameters = await readParameters(db)
  const at = now()
  const today = calendarDayOf(at, parameters.get('timezone'))
  if (hourOf(at, parameters.get('timezone')) < parameters.number('reminder_hour')) return
  if (await isDone(db, today)) return
  for (;;) {
    if (how.stopping?.aborted) return
    const isLast = await db
      .transaction()
      .execute((trx) => step(trx, { today, at, parameters, publicUrl: how.publicUrl ?? '' }))
    how.onStep?.()
    if (isLast) return
  }
}

const hourOf = (at: Date, timeZone: string): number =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(at))

const isDone = async (db: Db, today: CalendarDay): Promise<boolean> =>
  (await db
    .selectFrom('reminder_days')
    .select('day')
    .where('day', '=', today)
    .where('ended_at', 'is not', null)
    .executeTakeFirst()) !== undefined

type StepContext = { today: CalendarDay; at: Date; parameters: Parameters; publicUrl: string }

/** Answers whether the day is done, here or by another process. */
async function step(trx: Trx, { today, at, parameters, publicUrl }: StepContext): Promise<boolean> {
  await trx
    .insertInto('reminder_days')
    .values({ day: today, problem: null, started_at: at.toISOString(), ended_at: null })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const claimed = await trx
    .selectFrom('reminder_days')
    .select(['place', 'problem'])
    .where('day', '=', today)
    .where('ended_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!claimed) return true

  // A mass mail reminds of the same loans: each sees what the other has written.
  await lockInLibrary(trx, 'mass mail')
  const levels = await readLevels(trx)
  const people = levels.length === 0 ? [] : await readPeople(trx, { levels, today, after: claimed.place })
  let mails = 0
  let letters = 0
  const problems = new Set<string>()
  for (const [template, levelOfLoan] of byTemplate(people)) {
    const render = await findMailRenderer(trx, template)
    if (!render) continue
    const recipients = await listLoanMailRecipients(
      trx,
      { sites: null, loanings: [...levelOfLoan.keys()] },
      { only: 'everyone' },
    )
    const level = (loaning: number) => levelOfLoan.get(loaning) ?? template
    const reached = recipients.filter(({ email }) => email !== null)
    const queued = await queueMails(
      trx,
      { now: at, parameters },
      render,
      reached.map((recipient) => mailOf(recipient, { template, today, publicUrl })),
    )
    if (queued.state === 'broken') {
      problems.add(brokenTemplate(template, queued.problem))
      continue
    }
    await noteReminded(trx, reached, { mails: queued.ids, level, today })
    mails += reached.length
    if (!isLate(template)) continue
    const unreached = recipients.filter(({ email }) => email === null)
    await makeLetters(trx, unreached, { why: 'no_address', level, template, today })
    letters += unreached.length
  }
  const isLast = people.length < readersAStep
  await trx
    .updateTable('reminder_days')
    .set((row) => ({
      place: people.at(-1)?.beneficiary ?? claimed.place,
      mails: row('mails', '+', mails),
      letters: row('letters', '+', letters),
      ...(problems.size === 0 ? {} : { problem: [...problems].join(' ').slice(0, 1000) }),
      ...(isLast ? { ended_at: at.toISOString() } : {}),
    }))
    .where('day', '=', today)
    .execute()
  return isLast
}

const isLate = (code: DailyLevel) => (lateLevels as readonly string[]).includes(code)

const mailOf = (
  recipient: LoanMailRecipient,
  { template, today, publicUrl }: { template: DailyLevel; today: CalendarDay; publicUrl: string },
) => ({
  template,
  to_address: recipient.email ?? '',
  beneficiary: recipient.id,
  sites: recipient.sites,
  variables: loanMailVariables(recipient, today, publicUrl),
})

/** What is switched on, in the order in which a loan meets it. */
async function readLevels(trx: Trx): Promise<Level[]> {
  const rows = await trx
    .selectFrom('mail_templates')
    .select(['code', 'days'])
    .where('code', 'in', [...dailyLevels])
    .where('type', '=', 'object')
    .where('enabled', '=', true)
    .execute()
  return dailyLevels.flatMap((code) => {
    const row = rows.find((one) => one.code === code)
    return row ? [{ code, days: row.days ?? 1 }] : []
  })
}

type Person = { beneficiary: number; loans: { id: number; level: DailyLevel }[] }

/** The next readers who have something to be reminded of, each with the level of each of their loans. */
async function readPeople(
  trx: Trx,
  { levels, today, after }: { levels: readonly Level[]; today: CalendarDay; after: number },
): Promise<Person[]> {
  const wanted = levels.map(
    (level) => sql`
      select l.beneficiary, l.id, ${sql.lit(level.code)}::text as level
      from loanings l join beneficiaries b on b.id = l.beneficiary and b.deleted_at is null
      where l.status = 'in_progress' and l.deleted_at is null and l.beneficiary > ${after}
        and ${isReached(level, levels, today)}
        and not exists (select from loan_reminders r
          where r.loaning = l.id and r.end_date = l.end_date and r.level = any(${sameOrLater(level.code)}::text[]))`,
  )
  const { rows } = await sql<Person>`
    select beneficiary, json_agg(json_build_object('id', id, 'level', level) order by id) as loans
    from (${sql.join(wanted, sql` union all `)}) wanted
    group by beneficiary order by beneficiary limit ${readersAStep}`.execute(trx)
  return rows
}

/** A level that comes after this one makes it needless. */
const sameOrLater = (code: DailyLevel): string[] => {
  const at = lateLevels.findIndex((level) => level === code)
  return at === -1 ? [code] : lateLevels.slice(at)
}

function isReached({ code, days }: Level, levels: readonly Level[], today: CalendarDay): RawBuilder<unknown> {
  // A loan that is shorter than its notice would be announced as it is lent.
  if (code === 'before_due') {
    return sql`l.end_date > ${today}::date and l.end_date <= ${today}::date + ${days}::integer
      and l.end_date - l.start_date > ${days}::integer`
  }
  const notYet = sql`l.reminded_on is distinct from ${today}::date`
  if (code === 'due') return sql`l.end_date = ${today}::date and l.start_date < ${today}::date and ${notYet}`
  const earlier = lateLevels.slice(
    0,
    lateLevels.findIndex((level) => level === code),
  )
  const before = levels.findLast((level) => (earlier as readonly string[]).includes(level.code))
  const made = (which: readonly string[]) => sql`(select max(r.made_on) from loan_reminders r
    where r.loaning = l.id and r.end_date = l.end_date and r.level = any(${[...which]}::text[]))`
  // After the level before it where that one is sent, else after the due day; nobody is reminded twice on one day.
  const from = before ? made(earlier) : sql`coalesce(${made(earlier)}, l.end_date)`
  const hadBefore = before ? sql`${made([before.code])} is not null` : sql`true`
  return sql`l.end_date < ${today}::date and ${notYet}
    and ${hadBefore} and ${from} + ${days}::integer <= ${today}::date`
}

/** One mail a reader for all that is late, by the highest level that one of the loans has reached. */
function byTemplate(people: readonly Person[]): Map<DailyLevel, Map<number, DailyLevel>> {
  const templates = new Map<DailyLevel, Map<number, DailyLevel>>()
  for (const { loans } of people) {
    const highest = lateLevels.findLast((code) => loans.some(({ level }) => level === code))
    for (const { id, level } of loans) {
      const template = highest !== undefined && isLate(level) ? highest : level
      const of = templates.get(template) ?? new Map<number, DailyLevel>()
      of.set(id, level)
      templates.set(template, of)
    }
  }
  return templates
}

export const startDailyReminders = (settings: {
  environments: LoopSettings['environments']
  logger: Logger
  publicUrl: string
  onStep: () => void
}): BackgroundLoop =>
  startLoop({
    environments: settings.environments,
    logger: settings.logger,
    pollEvery: everyMs,
    outOfReach: 'reminders of the day are out of reach',
    look: (environment, stopping) =>
      remindOfToday(environment, {
        now: () => new Date(),
        publicUrl: linkBase(settings.publicUrl, environment.hosts),
        stopping,
        onStep: settings.onStep,
      }),
  })
