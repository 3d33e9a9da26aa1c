import { sql } from 'kysely'
import * as v from 'valibot'

import type { Act, undoAct as undoActCall } from '../../contract/acts.ts'
import { wordsOfAct } from '../../domain/act-kinds.ts'
import { findAct, isBeyondRights, noSuchAct } from '../acts/act-queries.ts'
import { countToUndo, rowsToUndo } from '../acts/act-rows.ts'
import type { Trx } from '../db/handles.ts'
import { endAct, openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { startJob, type Step } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { undoRows } from './undo-rows.ts'

/** Asks for what an act did to be taken back; a job does it, some records at a time. */
export async function undoAct(
  trx: Trx,
  { params: { id } }: VerbInput<typeof undoActCall>,
  exchange: Exchange,
): Promise<Outcome<Act>> {
  // The next statement reads, because this one does not see what it waited for.
  await trx.selectFrom('acts').select('id').where('id', '=', id).forUpdate().execute()
  const act = await findAct(trx, id, exchange)
  if (!act) return notFound(noSuchAct)
  if (act.fixed !== null) return conflict('ALREADY_DONE', `Cet acte ne peut pas être annulé. ${act.fixed}`)
  const name = `Annulation\u202f: ${act.name}`
  const undoing = await openAct(trx, exchange, { kind: 'acts.undo', name, undoes: id, isLasting: true })
  const total = await countToUndo(trx, id)
  await startJob(trx, exchange, { kind: 'acts.undo', input: { act: id, undo: undoing.act }, total })
  const asked = await findAct(trx, undoing.act, exchange)
  if (!asked) throw new Error(`act ${undoing.act} is gone`)
  return done(asked)
}

const undoing = v.object({ act: v.number(), undo: v.number() })
const afterAll = 2_147_483_647

export const undoStep: Step = async (trx, { input, cursor }, { exchange }) => {
  const { act, undo } = v.parse(undoing, input)
  const { kind } = await trx.selectFrom('acts').select('kind').where('id', '=', act).executeTakeFirstOrThrow()
  const mayUndo = wordsOfAct(kind).rights.some((right) => exchange.caller.rights.has(right))
  if (!mayUndo || (await isBeyondRights(trx, act, exchange))) {
    await endAct(trx, undo, exchange)
    return { problem: 'Votre compte n’a plus le droit d’annuler cet acte.' }
  }
  const most = rowsAStep(exchange)
  const rows = await rowsToUndo(trx, act, { below: cursor === 0 ? afterAll : cursor, most })
  await undoRows(trx, rows, { ...exchange, act: undo })
  // The notices that came with references which have gone again.
  await sql`
    delete from reference_notices n using "references" r
    where n.act = ${act} and r.id = n.reference and r.deleted_at is not null`.execute(trx)
  const isLast = rows.length < most
  if (isLast) await endAct(trx, undo, exchange)
  return { cursor: rows.at(-1)?.id ?? cursor, did: rows.length, isLast }
}
