import { sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { lateLevels, type ReminderCode } from '../../domain/mail-occasions.ts'
import type { Trx } from '../db/handles.ts'
import type { LoanMailRecipient } from './loan-mail-queries.ts'

type Reminded = Pick<LoanMailRecipient, 'id' | 'sites' | 'loans'>

type Level = ReminderCode | ((loaning: number) => ReminderCode)
const levelOf = (level: Level, loaning: number) => (typeof level === 'string' ? level : level(loaning))

/** Keeps what each mail reminds of; of what is late, each loan also tells when that was. */
export async function noteReminded(
  trx: Trx,
  recipients: readonly Reminded[],
  { mails, level, today }: { mails: readonly number[]; level: Level; today: CalendarDay },
): Promise<void> {
  const rows = recipients.flatMap(({ loans }, at) =>
    loans.map(({ id, end_date }) => ({ id, end_date, mail: mails[at] ?? null, level: levelOf(level, id) })),
  )
  await keep(trx, rows, today)
  await markReminded(
    trx,
    rows.filter((row) => row.level !== 'before_due' && row.level !== 'due'),
    today,
  )
}

export async function markReminded(
  trx: Trx,
  loans: readonly { id: number }[],
  today: CalendarDay,
): Promise<void> {
  if (loans.length === 0) return
  const ids = loans.map(({ id }) => id)
  await sql`update loanings set reminded_on = ${today}::date where id = any(${ids}::int[])`.execute(trx)
}

type Kept = { id: number; end_date: CalendarDay; level: ReminderCode; mail?: number | null; letter?: number }

async function keep(trx: Trx, rows: readonly Kept[], today: CalendarDay): Promise<void> {
  if (rows.length === 0) return
  await trx
    .insertInto('loan_reminders')
    .values(
      rows.map(({ id, end_date, level, mail = null, letter = null }) => ({
        loaning: id,
        level,
        end_date,
        made_on: today,
        mail,
        letter,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['loaning', 'level', 'end_date'])
        // Written out: a statement prepared by name finds the index by nothing else.
        .where(sql<boolean>`level <> 'loaning_reminder'`)
        .doUpdateSet({ mail: sql`excluded.mail`, letter: sql`excluded.letter` }),
    )
    .execute()
}

type Why = { why: 'no_address' | 'refused'; level: Level; template: ReminderCode; today: CalendarDay }

/** A reader has one letter to print, whose level is the last that was reached. */
export async function makeLetters(
  trx: Trx,
  recipients: readonly Reminded[],
  { why, level, template, today }: Why,
  mail: number | null = null,
): Promise<void> {
  for (const { id: beneficiary, sites, loans } of recipients) {
    const { rows } = await sql<{ id: number }>`
      insert into letters as t (beneficiary, template, why, mail, sites, made_on)
      values (${beneficiary}, ${template}, ${why}, ${mail}, ${[...sites]}::int[], ${today}::date)
      on conflict (beneficiary) where printed_at is null do update set
        template = case
          when coalesce(array_position(${[...lateLevels]}::text[], excluded.template), 0)
            >= coalesce(array_position(${[...lateLevels]}::text[], t.template), 0) then excluded.template
          else t.template end,
        why = excluded.why, mail = excluded.mail, made_on = excluded.made_on,
        sites = array(select distinct unnest(t.sites || excluded.sites) order by 1)
      returning t.id`.execute(trx)
    const letter = rows[0]?.id
    if (letter === undefined) throw new Error('a letter was not written')
    await keep(
      trx,
      loans.map(({ id, end_date }) => ({ id, end_date, level: levelOf(level, id), letter, mail })),
      today,
    )
  }
}
