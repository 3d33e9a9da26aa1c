import { sql } from 'kysely'
import * as v from 'valibot'

import type { Act, undoAct as undoActCall } from '../../contract/acts.ts'
import { wordsOfAct } from '../../domain/act-kinds.ts'
import {
  countToUndo,
  findAct,
  isBeyondRights,
  isRemoval,
  noSuchAct,
  rowsToUndo,
  type TouchedRow,
} from '../acts/act-queries.ts'
import { type Facts, isAsLeft, type Undoable } from '../acts/undoable.ts'
import { breaksConstraint } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import { endAct, openAct } from '../http/act.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journalEach } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome } from '../http/outcome.ts'
import { startJob, type Step } from '../jobs/job.ts'
import { rowsAStep } from '../jobs/pace.ts'
import { isUndoable, type UndoableEntity, undoables } from './undoables.ts'

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

type Undoing = Exchange & { act: number }
/** What was done to it: a removal is taken back otherwise than a change. */
type Done = 'added' | 'changed' | 'removed'
type Run = { entity: string; done: Done; rows: TouchedRow[] }

/** Gives records back what they were, in the order of the rows; those changed since are kept, with the reason. */
async function undoRows(trx: Trx, rows: readonly TouchedRow[], exchange: Undoing): Promise<void> {
  for (const { entity, done, rows: alike } of runsOf(rows)) {
    const kept = isUndoable(entity)
      ? await undoRun(trx, { entity, done, rows: alike }, exchange)
      : new Map(alike.map(({ id }) => [id, 'Cela ne s’annule pas.']))
    const reasons = [...kept].map(([line, reason]) => ({ undo: exchange.act, line, reason }))
    if (reasons.length > 0) await trx.insertInto('acts_kept').values(reasons).execute()
  }
}

const doneTo = ({ before, action }: TouchedRow): Done =>
  isRemoval(action) ? 'removed' : before === null ? 'added' : 'changed'

/** Rows that follow each other and are undone alike. */
function runsOf(rows: readonly TouchedRow[]): Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    const last = runs.at(-1)
    const done = doneTo(row)
    if (last?.entity === row.entity && last.done === done) last.rows.push(row)
    else runs.push({ entity: row.entity, done, rows: [row] })
  }
  return runs
}

/** Answers why some stay as they are, by their line. */
async function undoRun(
  trx: Trx,
  { entity, done, rows }: Run & { entity: UndoableEntity },
  exchange: Undoing,
): Promise<Map<number, string>> {
  const undoable: Undoable = undoables[entity]
  const ids = rows.map(({ entity_id }) => entity_id)
  await undoable.lock(trx, ids)
  const now = await undoable.read(trx, ids, exchange)
  const kept = new Map<number, string>()
  const ready = rows.filter((row) => {
    const why = whyKept(undoable, row, done, now.get(row.entity_id))
    if (why !== null) kept.set(row.id, why)
    return why === null
  })
  if (done === 'added') {
    const added = ready.map(({ entity_id }) => entity_id)
    const held = await undoable.takeAway(trx, added, exchange)
    const gone = ready.filter(({ entity_id }) => !held.has(entity_id))
    for (const { id, entity_id } of ready) if (held.has(entity_id)) kept.set(id, held.get(entity_id)!)
    await journalEach(
      trx,
      exchange,
      gone.map(({ entity_id }) => ({
        action: 'acts.undo',
        entity,
        entity_id,
        before: now.get(entity_id)!,
        after: null,
      })),
    )
    return kept
  }
  for (const row of ready) {
    const why = await attempt(trx, () => undoOne(trx, { undoable, row, entity }, now, exchange))
    if (why !== null) kept.set(row.id, why)
  }
  return kept
}

function whyKept(undoable: Undoable, { before, after }: TouchedRow, done: Done, now: Facts | undefined) {
  if (before === null && after === null) return 'Ce qu’il était a été effacé.'
  if (done === 'removed') return now === undefined ? null : 'Il a déjà été rétabli.'
  if (now === undefined) return 'Il n’existe plus, ou n’est pas d’un site qui vous est ouvert.'
  return after && isAsLeft(undoable, now, after) ? null : 'Il a été modifié depuis.'
}

type One = { undoable: Undoable; row: TouchedRow; entity: string }

async function undoOne(
  trx: Trx,
  { undoable, row, entity }: One,
  now: ReadonlyMap<number, Facts>,
  exchange: Undoing,
): Promise<string | null> {
  const { entity_id: id, before, after, action } = row
  const line = { action: 'acts.undo', entity, entity_id: id }
  if (isRemoval(action)) {
    const why = await undoable.bringBack(trx, { id, before: before ?? {} }, exchange)
    if (why === null) await journalEach(trx, exchange, [{ ...line, before: null, after: before }])
    return why
  }
  const is = now.get(id)!
  // What came to nothing in the end has nothing to be given back.
  if (before && after && isAsLeft(undoable, is, before)) {
    await journalEach(trx, exchange, [{ ...line, before: is, after: is }])
    return null
  }
  return undoable.giveBack(trx, { id, before: before ?? {}, now: is }, exchange)
}

/** What is refused half way leaves nothing; a broken constraint is a refusal. */
const attempt = (trx: Trx, work: () => Promise<string | null>): Promise<string | null> =>
  asPart(trx, work, (why) => why === null).catch((error: unknown) => {
    if (!breaksConstraint(error)) throw error
    return 'Un autre a pris sa place.'
  })
