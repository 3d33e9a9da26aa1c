import { sql } from 'kysely'

import type { Act } from '../../contract/acts.ts'
import * as call from '../../contract/closings.ts'
import type { ClosingPreview, previewClosing as previewCall } from '../../contract/closings.ts'
import { closures } from '../../contract/closures.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { findAct } from '../acts/act-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import { openAct } from '../http/act.ts'
import { bindResource } from '../http/bind-resource.ts'
import { type Binding, change, longRead, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { changingOpenings } from '../http/openings-change.ts'
import { done, forbidden, type Outcome } from '../http/outcome.ts'
import { startJob } from '../jobs/job.ts'
import { readOpenings } from '../library-facts/openings.ts'
import { templateBroken, templateOff } from '../mail/template-rows.ts'
import { seenByAll } from '../visibility/visibility.ts'
import { findMailRenderer, hasAddress } from '../writing/queue-mail.ts'
import { closingNotice, noticeVariables } from './closing-mail.ts'
import {
  calendarsOf,
  closingOf,
  countShelfDeadlines,
  loansToMove,
  movedTo,
  openingsAfter,
  whyNotClosed,
} from './closing.ts'

const shownRows = 20

/** Counts as the act will find it, were it asked for now. */
async function previewClosing(
  db: Db,
  { body }: VerbInput<typeof previewCall>,
  { visibility, today }: Exchange,
): Promise<Outcome<ClosingPreview>> {
  const refused = await whyNotClosed(db, visibility, body, (at) => `closures.${at}.last_day`)
  if (refused) return refused
  const closing = closingOf(body, today)
  const calendarAt = calendarsOf(openingsAfter(await readOpenings(db), closing))
  const { rows } = await sql<{
    id: number
    site: number
    beneficiary: number
    name: string
    end_date: string
    has_address: boolean
  }>`
    select l.id, l.site, l.beneficiary, r.name, l.end_date, ${hasAddress} as has_address
    from loanings l join sites s on s.id = l.site join beneficiaries b on b.id = l.beneficiary
      join copies k on k.id = l.copy join "references" r on r.id = k.reference
    where ${loansToMove(closing)} order by l.end_date, l.id`.execute(db)
  const { spread_days } = closing
  const moves = rows.flatMap(({ end_date: from, beneficiary: reader, has_address, ...of }) => {
    const to = movedTo(from, { reader, calendar: calendarAt(of.site), spread_days })
    return to === from ? [] : [{ row: { ...of, from, to }, reader, has_address }]
  })
  const days = new Map<string, number>()
  for (const { row } of moves) days.set(row.to, (days.get(row.to) ?? 0) + 1)
  return done({
    loans: moves.length,
    shelf_deadlines: await countShelfDeadlines(db, closing),
    people: new Set(moves.flatMap(({ reader, has_address }) => (has_address ? [reader] : []))).size,
    rows: moves.slice(0, shownRows).map(({ row }) => row),
    by_day: [...days].toSorted(([a], [b]) => a.localeCompare(b)).map(([day, count]) => ({ day, count })),
  })
}

const closureRows = source(closures, {
  from: sql`closures c left join sites s on s.id = c.site`,
  where: sql`c.deleted_at is null`,
  seen: seenByAll,
  id: sql`c.id`,
  columns: {
    site: sql`c.site`,
    site_name: sql`s.name`,
    ...ownColumns('c', 'first_day', 'last_day', 'label', 'act', 'date_update'),
  },
  sorts: { label: sql`search_text(c.label)`, site_name: sql`search_text(s.name)` },
})

/** A closure as its row has it, or would. */
type Row = { site: number | null; first_day: string; last_day: string }

const resourceRoutes = bindResource(closures, closureRows, {
  mayWrite: (row, { visibility }, trx) => {
    const { site, ...days } = row as unknown as Row
    return whyNotClosed(trx, visibility, { site, closures: [days] }, () => 'last_day')
  },
})

/** What is lent after it must know of it. */
const tellingOpenings = (binding: Binding): Binding =>
  binding.kind === 'change'
    ? {
        ...binding,
        verb: async (trx, input, exchange, prepared) =>
          changingOpenings(
            (exchange as Exchange).environment,
            await binding.verb(trx, input, exchange, prepared),
          ),
      }
    : binding

type Body = VerbInput<typeof call.close>['body']

/** Closes at once, so that what is lent from now on is due on open days; a job moves what is due already. */
async function close(
  trx: Trx,
  { body }: VerbInput<typeof call.close>,
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

export const closureRoutes = [
  ...resourceRoutes.map(tellingOpenings),
  longRead(call.previewClosing, previewClosing),
  change(call.close, close),
]
