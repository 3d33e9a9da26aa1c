import { sql } from 'kysely'
import * as v from 'valibot'

import { readerOf } from '../../contract/loans.ts'
import { type CalendarUnit, dueOn, isLate } from '../../domain/loan-rules.ts'
import type { Trx } from '../db/handles.ts'
import { endAct } from '../http/act.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import type { Step, StepContext, Stepped } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { readLoans } from '../loans/loan-rows.ts'
import { brokenTemplate } from '../mail/template-rows.ts'
import { maySetDaysOf } from '../visibility/visibility.ts'
import { findMailRenderer, queueMails } from '../writing/queue-mail.ts'
import { closingNotice, closingRecipients, noticeVariables } from './closing-mail.ts'
import { calendarsOf, type Closing, loansToMove, movedTo, moveShelfDeadlines } from './closing.ts'

const days = { first_day: v.string(), last_day: v.string() }
const asked = v.object({
  act: v.number(),
  mail: v.boolean(),
  closing: v.object({
    site: v.nullable(v.number()),
    days: v.array(v.object(days)),
    spread_days: v.number(),
    today: v.string(),
  }),
  closures: v.array(v.object({ ...days, label: v.string() })),
})
type Asked = v.InferOutput<typeof asked>

/** Moves what falls due on closed days, by the number of the loan, and then writes to each reader once. */
export const closeStep: Step = async (trx, { input, cursor }, context) => {
  const { exchange } = context
  const job = v.parse(asked, input)
  const { visibility, caller } = exchange
  if (!caller.rights.has('PARAMETER_SITE') || !maySetDaysOf(visibility, job.closing.site)) {
    await endAct(trx, job.act, exchange)
    return { problem: 'Votre compte n’a plus le droit de fermer ce site.' }
  }
  const stepped =
    cursor < 0 ? await writeSome(trx, job, cursor, context) : await moveSome(trx, job, cursor, exchange)
  // As far as it came the act can be taken back.
  if ('problem' in stepped || stepped.isLast) await endAct(trx, job.act, exchange)
  return stepped
}

async function moveSome(
  trx: Trx,
  { act, mail, closing }: Asked,
  after: number,
  exchange: Exchange,
): Promise<Stepped> {
  const most = rowsAStep(exchange)
  const { rows } = await sql<{ id: number }>`
    select l.id from loanings l join sites s on s.id = l.site
    where ${loansToMove(closing)} and l.id > ${after} order by l.id limit ${most}`.execute(trx)
  const ids = rows.map(({ id }) => id)
  const acting = { ...exchange, act }
  await moveLoans(trx, ids, closing, acting)
  if (ids.length === most) return { cursor: ids.at(-1) ?? after, did: ids.length, isLast: false }
  await moveShelfDeadlines(trx, closing, acting)
  return { cursor: mail ? -1 : (ids.at(-1) ?? after), did: ids.length, isLast: !mail }
}

type Rules = {
  id: number
  cycle_type: CalendarUnit | null
  cycle_value: number | null
  end_day: number | null
}

async function moveLoans(
  trx: Trx,
  ids: readonly number[],
  closing: Closing,
  exchange: Exchange & { act: number },
): Promise<void> {
  // Copies first, as lending and returning lock them.
  await sql`
    select from copies where id in (select copy from loanings where id = any(${[...ids]}::int[]))
    order by id for update`.execute(trx)
  await sql`select from loanings where id = any(${[...ids]}::int[]) order by id for update`.execute(trx)
  const { rows } = await sql<Rules>`
    select l.id, k.cycle_type, k.cycle_value, m.end_day
    from loanings l join sites s on s.id = l.site join copies k on k.id = l.copy
      join "references" r on r.id = k.reference left join media m on m.id = r.medium
    where l.id = any(${[...ids]}::int[]) and ${loansToMove(closing)}`.execute(trx)
  const rules = new Map(rows.map((row) => [row.id, row]))
  const loans = await readLoans(trx, [...rules.keys()], exchange.today)
  const calendarAt = calendarsOf(exchange.openings)
  const { spread_days } = closing
  const moves = loans.flatMap((before) => {
    const { end_date: from, start_date, site } = before
    const reader = readerOf(before)
    const calendar = calendarAt(site)
    const end_date = movedTo(from, { reader, calendar, spread_days })
    const cycle = rules.get(before.id)
    if (end_date === from || !cycle) return []
    const byRules = dueOn(start_date, before, cycle, cycle.end_day, calendar)
    const after = {
      ...before,
      end_date,
      expected_return_date: end_date,
      end_date_flagged: end_date !== byRules,
      islate: isLate({ end_date, return_date: null }, exchange.today),
    }
    return [{ before, after }]
  })
  const written = moves.map(({ after: { id, end_date, end_date_flagged } }) => ({
    id,
    end_date,
    end_date_flagged,
  }))
  await sql`
    update loanings l set end_date = m.end_date, end_date_flagged = m.end_date_flagged
    from json_to_recordset(${JSON.stringify(written)}::json) as m (id integer, end_date date, end_date_flagged boolean)
    where l.id = m.id`.execute(trx)
  await journalEach(
    trx,
    exchange,
    moves.map(({ before, after }) => ({
      action: 'loan.move_due',
      entity: 'loanings',
      entity_id: before.id,
      before,
      after,
    })),
  )
}

const mailsAStep = 50

/** A cursor below zero counts the readers who were written to. */
async function writeSome(
  trx: Trx,
  { act, closures, closing }: Asked,
  cursor: number,
  context: StepContext,
): Promise<Stepped> {
  if (!context.exchange.caller.rights.has('SEND_MAIL')) {
    return { problem: 'Votre compte n’a plus le droit d’écrire aux lecteurs.' }
  }
  const render = await findMailRenderer(trx, closingNotice)
  const recipients = render ? await closingRecipients(trx, act, { after: -1 - cursor, most: mailsAStep }) : []
  if (render) {
    const mails = recipients.map((recipient) => ({
      template: closingNotice,
      to_address: recipient.email,
      beneficiary: recipient.id,
      sites: recipient.sites,
      variables: noticeVariables(recipient, closures, closing.today),
    }))
    const queued = await queueMails(trx, context, render, mails)
    if (queued.state === 'broken') return { problem: brokenTemplate(closingNotice, queued.problem) }
  }
  const last = recipients.at(-1)
  return {
    cursor: last ? -1 - last.id : cursor,
    did: 0,
    isLast: recipients.length < mailsAStep,
  }
}
