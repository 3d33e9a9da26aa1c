import { sql } from 'kysely'
import type { Logger } from 'pino'

import { calendarDayOf } from '../../domain/calendar-day.ts'
import { isReminderCode } from '../../domain/mail-occasions.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Trx } from '../db/handles.ts'
import { readParameters } from '../library-facts/parameters.ts'
import { letterInstead, lookAgain } from './look-again.ts'
import type { Delivery, MailTransport } from '../http/mail-transport.ts'
import { longestSending } from './transport.ts'

const minute = 60_000
/** The waits after failed attempts; after the last one comes a last attempt. */
const backOff = [1, 5, 30, 2 * 60, 12 * 60].map((minutes) => minutes * minute)
/** Well beyond the longest sending. */
const claimedFor = 5 * longestSending
const restFor = minute / 2

type SenderSettings = {
  transport: MailTransport
  logger: Logger
  now: () => Date
  /** For links in reminders that are written again as they leave. */
  publicUrl?: string
  /** Called where the tests of faults stop the process. */
  onPhase?: (phase: SendingPhase) => void
}

export type SendingPhase = 'claimed' | 'accepted'

/** `stopped` is there where some were. */
type SendingTally = { sent: number; later: number; failed: number; stopped?: number }

export type MailSender = {
  /** Sends mail after mail until none is due, the server cannot be reached, or the signal is given. */
  runOnce(signal?: AbortSignal): Promise<SendingTally>
}

type ClaimedMail = {
  id: number
  template: string
  to_address: string
  subject: string
  html: string
  attempts: number
  created_at: string
  holds_link: boolean
}
type Result = { mail: ClaimedMail; delivery: Delivery; at: Date }

/**
 * Claims a mail by moving its next attempt, sends it outside any transaction, then records; after a crash it
 * goes out later, perhaps again with the same Message-ID.
 */
export function mailSenderOf(
  { id, db }: Pick<Environment, 'id' | 'db'>,
  { transport, logger, now, publicUrl = '', onPhase }: SenderSettings,
): MailSender {
  /** Results kept over the database's outage, so that what was sent is not sent again. */
  const unrecorded: Result[] = []
  let restUntil = 0

  async function claim(): Promise<ClaimedMail | null> {
    const at = now()
    // Links come before mass mails, because someone waits for them and they expire.
    const { rows } = await sql<ClaimedMail>`
      with due as (
        select id from mail_outbox where status = 'queued' and next_attempt_at <= ${at.toISOString()}
        order by beneficiary is not null, next_attempt_at, id limit 1 for update skip locked)
      update mail_outbox m
      set attempts = attempts + 1, next_attempt_at = ${new Date(at.getTime() + claimedFor).toISOString()}
      from due where m.id = due.id
      returning m.id, m.template, m.to_address, m.subject, m.html, m.attempts, m.created_at,
        m.beneficiary is null as holds_link`.execute(db)
    return rows[0] ?? null
  }

  const libraryDay = async (trx: Trx) => calendarDayOf(now(), (await readParameters(trx)).get('timezone'))

  /** In a transaction of its own: nothing is on the wire while it is open. */
  const look = (mail: ClaimedMail) =>
    db.transaction().execute(async (trx) => {
      const parameters = await readParameters(trx)
      const today = calendarDayOf(now(), parameters.get('timezone'))
      return lookAgain(trx, mail, { today, parameters, publicUrl })
    })

  async function record(tally: SendingTally): Promise<void> {
    for (let result = unrecorded[0]; result; result = unrecorded[0]) {
      const outcome = outcomeOf(result)
      const { mail } = result
      // A link is a key and does not stay behind once it left.
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ id: number }>`
          update mail_outbox
          set status = ${outcome.status}, last_error = ${outcome.last_error}, fault = ${outcome.fault},
            sent_at = ${outcome.sent_at}, next_attempt_at = coalesce(${outcome.next_attempt_at}, next_attempt_at),
            html = case when beneficiary is null and ${outcome.status} <> 'queued' then '' else html end
          where id = ${mail.id} and status = 'queued'
            and (${outcome.status} in ('sent', 'written') or attempts = ${mail.attempts})
          returning id`.execute(trx)
        if (rows.length > 0 && outcome.status === 'failed') {
          await letterInstead(trx, mail, await libraryDay(trx))
        }
      })
      unrecorded.shift()
      tally[tallied[outcome.status]] += 1
      const facts = { environment: id, mail: mail.id, attempts: mail.attempts }
      if (result.delivery.ok)
        logger.info(
          facts,
          result.delivery.as === 'sent' ? 'mail sent' : 'mail written to a file, for none leaves',
        )
      else logger.warn({ ...facts, fault: result.delivery.fault, status: outcome.status }, 'mail not sent')
    }
  }

  return {
    async runOnce(signal) {
      const tally: SendingTally = { sent: 0, later: 0, failed: 0 }
      await record(tally)
      for (;;) {
        if (signal?.aborted || now().getTime() < restUntil) break
        const claimed = await claim()
        if (!claimed) break
        onPhase?.('claimed')
        const looked = isReminderCode(claimed.template) ? await look(claimed) : { mail: claimed }
        if ('stopped' in looked) {
          tally.stopped = (tally.stopped ?? 0) + 1
          logger.info({ environment: id, mail: claimed.id }, 'mail stopped')
          continue
        }
        const mail = { ...claimed, ...looked.mail }
        const key = `comptoir.${id}.${mail.id}.${Date.parse(mail.created_at)}`
        const delivery = await transport.send({ key, ...mail })
        onPhase?.('accepted')
        unrecorded.push({ mail, delivery, at: now() })
        if (!delivery.ok && delivery.fault === 'unreachable') restUntil = now().getTime() + restFor
        await record(tally)
      }
      return tally
    },
  }
}

const tallied = { sent: 'sent', written: 'sent', queued: 'later', failed: 'failed' } as const

type Recorded = {
  status: 'sent' | 'written' | 'queued' | 'failed'
  last_error: string | null
  fault: 'address' | 'message' | 'server' | null
  sent_at: string | null
  next_attempt_at: string | null
}

function outcomeOf({ mail, delivery, at }: Result): Recorded {
  if (delivery.ok)
    return {
      status: delivery.as,
      last_error: null,
      fault: null,
      sent_at: at.toISOString(),
      next_attempt_at: null,
    }
  const last_error = delivery.message.slice(0, 500)
  const fault = delivery.about ?? 'server'
  const wait = delivery.fault === 'refused' ? undefined : backOff[mail.attempts - 1]
  if (wait === undefined) return { status: 'failed', last_error, fault, sent_at: null, next_attempt_at: null }
  return {
    status: 'queued',
    last_error,
    fault,
    sent_at: null,
    next_attempt_at: new Date(at.getTime() + wait).toISOString(),
  }
}
