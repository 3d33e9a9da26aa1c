import * as call from '../../contract/sync.ts'
import { changeAfter, read } from '../http/binding.ts'
import { done } from '../http/outcome.ts'
import { askSync, prepareSync } from './ask-sync.ts'
import { readSync } from './read-sync.ts'
import { syncRefusal } from './whole-library.ts'

export const syncRoutes = [
  read(call.getSync, async (db, _, exchange) => syncRefusal(exchange) ?? done(await readSync(db, exchange))),
  changeAfter(call.askSync, prepareSync, askSync),
]
