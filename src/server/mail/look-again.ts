import { sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import { isLateCode, isReminderCode, type ReminderCode } from '../../domain/mail-occasions.ts'
import type { Trx } from '../db/handles.ts'
import type { Parameters } from '../library-facts/parameters.ts'
import { findMailRenderer, hasAddress } from '../writing/queue-mail.ts'
import { listLoanMailRecipients, loanMailVariables } from './loan-mail-queries.ts'
import { makeLetters } from './note-reminders.ts'

type Reminded = {
  id: number
  level: ReminderCode
  beneficiary: number
  is_out: boolean
  is_same_day: boolean
  is_still: boolean
  is_gone: boolean
  email: string | null
}

type Written = { id: number; template: string; to_address: string; subject: string; html: string }
/** The mail as it leaves, or why it does not. */
type Looked = { mail: Written } | { stopped: string }

type Today = { today: CalendarDay; parameters: Parameters; publicUrl: string }

/**
 * A reminder may have waited for hours: what was given back or extended since is left out of it, and it does not
 * leave where nothing is left.
 */
export async function lookAgain(
  trx: Trx,
  mail: Written,
  { today, parameters, publicUrl }: Today,
): Promise<Looked> {
  if (!isReminderCode(mail.template)) return { mail }
  const reminded = await readReminded(trx, mail.id, today)
  // Written by a version that kept no trace of its loans.
  if (reminded.length === 0) return { mail }
  const still = reminded.filter((one) => one.is_out && one.is_same_day && one.is_still && !one.is_gone)
  const render = await findMailRenderer(trx, mail.template)
  const [first] = still
  if (!first || !render) {
    return stop(trx, mail, { why: render ? whyOf(reminded) : 'Le modèle a été désactivé avant l’envoi.' })
  }
  const loanings = still.map(({ id }) => id)
  const [recipient] = await listLoanMailRecipients(trx, { sites: null, loanings }, { only: 'everyone' })
  if (!recipient) return stop(trx, mail, { why: whyOf(reminded) })
  if (recipient.email === null) {
    if (isLateCode(mail.template)) {
      const levels = new Map(still.map(({ id, level }) => [id, level]))
      await makeLetters(
        trx,
        [recipient],
        {
          why: 'no_address',
          level: (id) => levels.get(id) ?? first.level,
          template: mail.template,
          today,
        },
        mail.id,
      )
      return stop(trx, mail, { why: 'Il n’a plus d’adresse électronique\u202f: une lettre est à imprimer.' })
    }
    return stop(trx, mail, { why: 'Il n’a plus d’adresse électronique.' })
  }
  if (still.length === reminded.length && recipient.email === mail.to_address) return { mail }
  const rendering = render({
    work_council: parameters.get('work_council'),
    ...loanMailVariables(recipient, today, publicUrl),
  })
  if (!rendering.ok) return { mail }
  const changed = { ...mail, to_address: recipient.email, ...rendering.mail }
  const { to_address, subject, html } = changed
  await trx.updateTable('mail_outbox').set({ to_address, subject, html }).where('id', '=', mail.id).execute()
  await forget(trx, mail.id, loanings)
  return { mail: changed }
}

/** In words, for the list of mails: what became of the loans between writing and leaving. */
function whyOf(reminded: readonly Reminded[]): string {
  if (reminded.every(({ is_gone }) => is_gone)) return 'Le lecteur a été retiré avant l’envoi.'
  if (reminded.every(({ is_out }) => !is_out)) return 'Tout a été rendu avant l’envoi.'
  if (reminded.every(({ is_out, is_same_day }) => is_out && !is_same_day)) {
    return 'Tout a été prolongé avant l’envoi.'
  }
  if (reminded.every(({ is_out, is_same_day }) => !is_out || !is_same_day)) {
    return 'Tout a été rendu ou prolongé avant l’envoi.'
  }
  return 'Le jour dont il parle est passé.'
}

async function readReminded(trx: Trx, mail: number, today: CalendarDay): Promise<Reminded[]> {
  const { rows } = await sql<Reminded>`
    select l.id, r.level, l.beneficiary,
      l.status = 'in_progress' and l.deleted_at is null as is_out,
      l.end_date = r.end_date as is_same_day,
      case r.level when 'before_due' then l.end_date >= ${today}::date
        when 'due' then l.end_date = ${today}::date else l.end_date < ${today}::date end as is_still,
      b.id is null or b.deleted_at is not null as is_gone,
      case when ${hasAddress} then b.email::text end as email
    from loan_reminders r
    join loanings l on l.id = r.loaning
    left join beneficiaries b on b.id = l.beneficiary
    where r.mail = ${mail} order by l.end_date, l.id`.execute(trx)
  return rows
}

/** What was not sent may be sent another time, and is no day of a reminder. */
async function forget(trx: Trx, mail: number, but: readonly number[]): Promise<void> {
  await sql`
    with gone as (
      delete from loan_reminders where mail = ${mail} and letter is null and not (loaning = any(${[...but]}::int[]))
      returning loaning, made_on
    )
    update loanings l set reminded_on = (
      select max(r.made_on) from loan_reminders r
      where r.loaning = l.id and r.mail is distinct from ${mail} and r.level not in ('before_due', 'due'))
    from gone where l.id = gone.loaning and l.reminded_on = gone.made_on`.execute(trx)
}

async function stop(trx: Trx, { id }: Written, { why }: { why: string }): Promise<Looked> {
  await forget(trx, id, [])
  await trx
    .updateTable('mail_outbox')
    .set({ status: 'stopped', last_error: why, fault: null })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
  return { stopped: why }
}

/** Whoever no mail reaches gets a letter, once the last attempt failed. */
export async function letterInstead(
  trx: Trx,
  { id, template }: { id: number; template: string },
  today: CalendarDay,
): Promise<void> {
  if (!isReminderCode(template) || !isLateCode(template)) return
  const reminded = await readReminded(trx, id, today)
  const still = reminded.filter((one) => one.is_out && one.is_same_day && one.is_still && !one.is_gone)
  if (still.length === 0) return
  const levels = new Map(still.map(({ id: loaning, level }) => [loaning, level]))
  const loanings = still.map(({ id: loaning }) => loaning)
  const recipients = await listLoanMailRecipients(trx, { sites: null, loanings }, { only: 'everyone' })
  await makeLetters(
    trx,
    recipients,
    { why: 'refused', level: (loaning) => levels.get(loaning) ?? 'loaning_reminder', template, today },
    id,
  )
}
