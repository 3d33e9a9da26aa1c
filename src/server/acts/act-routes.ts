import * as call from '../../contract/acts.ts'
import { wordsOfAct } from '../../domain/act-kinds.ts'
import { openAct } from '../http/act.ts'
import { change, longRead, read } from '../http/binding.ts'
import { done, forbidden, notFound } from '../http/outcome.ts'
import { findAct, noSuchAct, readActs } from './act-queries.ts'
import { listActRows } from './list-act-rows.ts'
import { undoAct } from './undo-act.ts'

export const actRoutes = [
  longRead(call.acts.list, async (db, { list }, exchange) => done(await readActs(db, list, exchange))),
  read(call.getAct, async (db, { params: { id } }, exchange) => {
    const act = await findAct(db, id, exchange)
    return act ? done(act) : notFound(noSuchAct)
  }),
  longRead(call.listActRows, listActRows),
  change(call.beginAct, async (trx, { body }, exchange) => {
    if (!wordsOfAct(body.kind).rights.some((right) => exchange.caller.rights.has(right))) return forbidden()
    const { act } = await openAct(trx, exchange, body)
    return done((await findAct(trx, act, exchange))!)
  }),
  change(call.undoAct, undoAct),
]
