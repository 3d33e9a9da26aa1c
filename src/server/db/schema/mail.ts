import type { Generated, GeneratedAlways } from 'kysely'

import type { CalendarDay } from '../../../domain/calendar-day.ts'
import type { MailPart, ReminderCode } from '../../../domain/mail-occasions.ts'
import type { Id, Instant } from './column-kinds.ts'

/** What is written to readers. */
export type MailTables = {
  mail_templates: {
    id: Id
    code: string
    type: MailPart
    content: string
    enabled: Generated<boolean>
    /** Of the row of the object, where the mail goes by time. */
    days: number | null
    date_update: Generated<Instant>
  }
  mail_outbox: {
    id: Id
    to_address: string
    subject: string
    html: string
    template: string
    beneficiary: number | null
    loaning: number | null
    /** The sites whose loans it is about; null for an account's mail and for mails older than this column. */
    sites: Generated<number[] | null>
    status: Generated<'queued' | 'sent' | 'written' | 'failed' | 'stopped'>
    attempts: Generated<number>
    next_attempt_at: Instant
    last_error: string | null
    /** What has to be mended before it can leave. */
    fault: Generated<'address' | 'message' | 'server' | 'template' | null>
    created_at: Instant
    sent_at: Instant | null
    changed_xid: GeneratedAlways<number>
  }
  letters: {
    id: Id
    beneficiary: number
    template: string
    why: 'no_address' | 'refused'
    mail: number | null
    sites: number[]
    made_on: CalendarDay
    printed_at: Instant | null
    printed_by: number | null
  }
  /** What a reader was reminded of, and at which due day of the loan. */
  loan_reminders: {
    id: Id
    loaning: number
    level: ReminderCode
    end_date: CalendarDay
    made_on: CalendarDay
    mail: number | null
    letter: number | null
  }
  reminder_days: {
    day: CalendarDay
    place: Generated<number>
    mails: Generated<number>
    letters: Generated<number>
    problem: string | null
    started_at: Instant
    ended_at: Instant | null
  }
}
