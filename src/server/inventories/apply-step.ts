import { sql } from 'kysely'
import * as v from 'valibot'

import { rightOfAction } from '../../domain/finding-rights.ts'
import type { FindingAction } from '../../domain/inventory.ts'
import { writeCopy } from '../catalogue/change-copy.ts'
import { removeCopy, restoreCopy } from '../catalogue/remove-copy.ts'
import { breaksConstraint } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import { endAct } from '../http/act.ts'
import { carriedOut } from '../http/decision.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import type { Outcome } from '../http/outcome.ts'
import type { AfterFailure, Step } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { noSuchLoan } from '../loans/change-loan.ts'
import { openLoanOf } from '../loans/circulating-copy.ts'
import { oldestHappenedMs } from '../loans/happened-at.ts'
import { returnCopy } from '../loans/return-copy.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { type FindingRow, findingsAmong } from './findings.ts'

const asked = v.object({ inventory: v.number(), act: v.number() })

/** Does what was chosen about some findings, by the verbs of the counter and the catalogue. */
export const applyStep: Step = async (trx, { input, cursor }, { exchange }) => {
  const { inventory, act } = v.parse(asked, input)
  // Scans wait, and those that came before are seen.
  await sql`select from inventories where id = ${inventory} for update`.execute(trx)
  const most = rowsAStep(exchange)
  const rows = await chosenRows(trx, inventory, cursor, most)
  const { rights } = exchange.caller
  if (!rights.has('INVENTORY') || !rows.every(({ action }) => rights.has(rightOfAction[action]))) {
    return { problem: 'Votre compte n’a plus le droit d’appliquer cet inventaire.' }
  }
  const copies = rows.map(({ copy }) => copy)
  await sql`select id from copies where id = any(${copies}::int[]) order by id for update`.execute(trx)
  const now = await findingsAmong(trx, inventory, { copies, keys: [] })
  const done: number[] = []
  for (const row of rows) {
    const is = now.get(`${row.group} ${row.key}`)
    if (is && isAsReviewed(row, is) && (await attempt(trx, () => apply(trx, row, { ...exchange, act })))) {
      done.push(row.position)
    }
  }
  await sql`
    update inventory_findings set outcome = case when position = any(${done}::int[]) then 'done' else 'left' end
    where inventory = ${inventory} and position = any(${rows.map(({ position }) => position)}::int[])`.execute(
    trx,
  )
  const isLast = rows.length < most
  if (isLast) await endAct(trx, act, exchange)
  return { cursor: rows.at(-1)?.position ?? cursor, did: rows.length, isLast }
}

type Chosen = FindingRow & { position: number; copy: number; action: FindingAction; last_loan: number | null }

async function chosenRows(trx: Trx, inventory: number, after: number, most: number): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select * from inventory_findings
    where inventory = ${inventory} and position > ${after} and action is not null
    order by position limit ${most}`.execute(trx)
  return rows
}

type Now = FindingRow & { last_loan: number | null }

/** Whoever lent, moved or counted it since knows better. */
function isAsReviewed({ group, location, seen_location, last_loan }: Chosen, now: Now): boolean {
  if (now.last_loan !== last_loan) return false
  return group !== 'misplaced' || (now.location === location && now.seen_location === seen_location)
}

function apply(trx: Trx, { action, copy, ...row }: Chosen, exchange: Exchange): Promise<Outcome<unknown>> {
  const params = { id: copy }
  const change = (body: Parameters<typeof writeCopy>[2]) => writeCopy(trx, copy, body, exchange)
  switch (action) {
    case 'unavailable':
      return change({ status: 'Non Disponible' })
    case 'available':
      return change({ status: 'Disponible' })
    case 'move':
      return change({ location: row.seen_location })
    case 'withdraw':
      return removeCopy(
        trx,
        { params, query: { reason: 'Absent à l’inventaire' }, body: undefined },
        exchange,
      )
    case 'restore':
      return restoreCopy(trx, copy, exchange)
    case 'return':
      return giveBack(trx, { copy, ...row }, exchange)
  }
}

/** Came back when it was seen on its shelf; a loan out of sight stays, for whoever undoes this could not open it again. */
async function giveBack(
  trx: Trx,
  { copy, bar_code, scanned_at }: Pick<Chosen, 'copy' | 'bar_code' | 'scanned_at'>,
  exchange: Exchange,
): Promise<Outcome<unknown>> {
  const open = await openLoanOf(trx, copy)
  if (!open || !isSiteOpen(exchange.visibility, open.site)) return noSuchLoan
  const now = exchange.now.getTime()
  const seen = scanned_at === null ? now : Date.parse(scanned_at)
  const occurred_at = new Date(Math.min(now, Math.max(seen, now - oldestHappenedMs))).toISOString()
  const body = { bar_code, occurred_at }
  return carriedOut(trx, await returnCopy(trx, { params: undefined, query: undefined, body }, exchange))
}

/** What is refused, or breaks on what somebody else did, leaves nothing. */
const attempt = async (trx: Trx, work: () => Promise<Outcome<unknown>>): Promise<boolean> => {
  try {
    return (await asPart(trx, work, ({ ok }) => ok)).ok
  } catch (error) {
    if (!breaksConstraint(error)) throw error
    return false
  }
}

/** What was done stays an act that can be undone; what was not is found anew. */
export const reopenAfterFailure: AfterFailure = async (trx, { input, user_id }, now) => {
  const { inventory, act } = v.parse(asked, input)
  const at = now.toISOString()
  const reopened = await trx
    .updateTable('inventories')
    .set({
      status: 'open',
      act: null,
      expected: null,
      seen: null,
      places: null,
      ended_at: null,
      date_update: at,
    })
    .where('id', '=', inventory)
    .where('act', '=', act)
    .returning('id')
    .execute()
  await trx.updateTable('acts').set({ ended_at: at }).where('id', '=', act).execute()
  if (reopened.length > 0) {
    await trx.deleteFrom('inventory_findings').where('inventory', '=', inventory).execute()
    await journal(
      trx,
      { now, key: null, caller: { user_id }, act },
      {
        action: 'inventories.reopen',
        entity: 'inventories',
        entity_id: inventory,
        before: { status: 'applied' },
        after: { status: 'open' },
      },
    )
  }
  return 'L’inventaire est de nouveau ouvert\u202f: vous pouvez l’appliquer encore.'
}
