import { sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import type { close as closeCall } from '../../contract/closings.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { findAct } from '../acts/act-queries.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { changingOpenings } from '../http/openings-change.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { templateBroken, templateOff } from '../mail/template-rows.ts'
import { findMailRenderer } from '../writing/queue-mail.ts'
import { closingNotice, noticeVariables } from './closing-mail.ts'
import { closingOf, loansToMove, whyNotClosed } from './closing.ts'

type Body = VerbInput<typeof closeCall>['body']

/** Closes at once, so that what is lent from now on is due on open days; a job moves what is due already. */
export async function close(
  trx: Trx,
  { body }: VerbInput<typeof closeCall>,
  exchange: Exchange,
): Promise<Outcome<Act>> {
  const { visibility, caller, now, today, environment } = exchange
  const { mail = false } = body
  if (mail && !caller.rights.has('SEND_MAIL')) return forbidden()
  const refused =
    (await whyNotClosed(trx, visibility, body, (at) => `closures.${at}.last_day`)) ??
    (mail ? await whyNotMailed(trx, exchange) : null)
  if (refused) return refused
  const closing = closingOf(body, today)
  // Before its days are written, which the job then finds as any other.
  const total = await countToMove(trx, body, exchange)
  const atSite = { ...exchange, site: body.site }
  const acting = await openAct(trx, atSite, {
    kind: 'closures.close',
    name: await nameOf(trx, body),
    isLasting: true,
  })
  const { act } = acting
  if (body.closures.length > 0) {
    const added = await trx
      .insertInto('closures')
      .values(
        body.closures.map((one) => ({
          ...one,
          site: body.site,
          act,
          date_update: now.toISOString(),
          deleted_at: null,
        })),
      )
      .returning(['id', 'site', 'first_day', 'last_day', 'label'])
      .execute()
    await journalEach(
      trx,
      acting,
      added.map((after) => ({ action: 'closures.add', entity: 'closures', entity_id: after.id, after })),
    )
  }
  const input = { act, mail, closing, closures: body.closures }
  await startJob(trx, exchange, { kind: 'closures.close', input, total })
  return changingOpenings(environment, done((await findAct(trx, act, atSite))!))
}

async function countToMove(trx: Trx, body: Body, { today }: Exchange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from loanings l join sites s on s.id = l.site
    where ${loansToMove(closingOf(body, today))}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** What the act is called in its list: why it closes and when, and where. */
async function nameOf(trx: Trx, { site, closures }: Body): Promise<string> {
  const [first, ...others] = closures
  const words = !first
    ? 'Retours des jours sans ouverture'
    : others.length > 0
      ? `${closures.length} fermetures, de «\u00a0${first.label}\u00a0» à «\u00a0${closures.at(-1)!.label}\u00a0»`
      : first.first_day === first.last_day
        ? `${first.label}, le ${frenchDay(first.first_day)}`
        : `${first.label}, du ${frenchDay(first.first_day)} au ${frenchDay(first.last_day)}`
  if (site === null) return words
  const { name } = await trx
    .selectFrom('sites')
    .select('name')
    .where('id', '=', site)
    .executeTakeFirstOrThrow()
  return `${words} (${name})`
}

async function whyNotMailed(trx: Trx, { parameters, today }: Exchange) {
  const render = await findMailRenderer(trx, closingNotice)
  if (!render) return templateOff(closingNotice)
  const tried = render({
    work_council: parameters.get('work_council'),
    ...noticeVariables({ id: 0, matricule: '', lastname: '', firstname: '', loans: [], kept: [] }, [], today),
  })
  return tried.ok ? null : templateBroken(closingNotice, tried.problem)
}
