import { isLookUp, limitsOf, type ListQuery } from '../../contract/list.ts'
import type { Environment } from '../db/environment.ts'
import type { Db } from '../db/handles.ts'
import { ranOutOfTime } from '../db/planned-cost.ts'
import type { ReadInTurn } from '../db/read-list.ts'
import { besides, type RecalledSession, whileStill } from '../http/recalled-session.ts'
import { type FairTurns, takeFairTurns } from '../session/take-fair-turns.ts'
import type { Binding } from '../http/binding.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { type Outcome, refuse } from '../http/outcome.ts'

type Work = (db: Db) => Promise<Outcome<unknown>>
type Read = {
  exchange: PublicExchange | Exchange
  input: unknown
  recalled: RecalledSession | null
  signal: () => AbortSignal
}

type Lines = { long: FairTurns; search: FairTurns }

const linesOf = new WeakMap<Environment, Lines>()

/** Whether a read names the few items it wants, and so waits for nobody. */
const goesAtOnce = ({ endpoint, isLong }: ReadBinding, input: unknown): boolean =>
  !isLong && (endpoint.list === undefined || isLookUp((input as { list: ListQuery }).list, endpoint.list))

/** Runs a read: one of many rows waits its turn and is never refused, a few named items go at once. */
export async function inTurn(binding: ReadBinding, read: Read, work: Work): Promise<Outcome<unknown>> {
  const { exchange, input, recalled, signal } = read
  const { environment } = exchange
  const { endpoint } = binding
  if (!('caller' in exchange) || goesAtOnce(binding, input)) {
    if (!recalled) return work(environment.db)
    return environment.db.connection().execute((lane) => whileStill(lane, recalled, () => work(lane)))
  }
  const lines = linesFor(environment)
  const who = whoAsks(exchange)
  const isSearch = endpoint.list !== undefined && limitsOf(endpoint.list).largest <= fewRows
  const waited = () =>
    isSearch
      ? lines.search.run(who, signal(), () => work(environment.db))
      : lines.long.run(who, signal(), () => work(environment.reads).catch(gaveUp))
  return (await (recalled ? besides(environment.db, recalled, waited) : waited())) ?? leftTheLine
}

/** Reads of a call that needs many: each waits its turn, so that nobody waits behind all of them. */
export const readsInTurn =
  (exchange: Exchange, signal: AbortSignal): ReadInTurn =>
  async (work) => {
    const { environment } = exchange
    // A file may take its reader longer than an environment stays open unasked.
    environment.use()
    const { long } = linesFor(environment)
    const read = await long.run(whoAsks(exchange), signal, async () => ({
      answer: await work(environment.reads),
    }))
    if (!read) throw new CallerLeft()
    return read.answer
  }

/** Nobody reads the answer, and nothing went wrong. */
export class CallerLeft extends Error {}

const whoAsks = ({ caller }: Exchange): string => caller.token_hash.toString('base64')

type ReadBinding = Extract<Binding, { kind: 'read' }>

/** A look-up of so few rows is asked in the middle of a scan. */
const fewRows = 10

function linesFor(environment: Environment): Lines {
  const known = linesOf.get(environment)
  if (known) return known
  const lines = {
    long: takeFairTurns({ atOnce: 3, each: 2 }),
    search: takeFairTurns({ atOnce: 3, each: 1 }),
  }
  linesOf.set(environment, lines)
  return lines
}

const leftTheLine = refuse({ status: 400, message: 'La requête a été interrompue.' })

const tooLong = refuse({
  status: 503,
  reason: 'READ_TOO_LONG',
  message:
    'Cette liste est trop longue à lire en ce moment. Réessayez dans un instant, ou précisez la recherche.',
  retryAfter: 10,
})

function gaveUp(error: unknown): Outcome<never> {
  if (ranOutOfTime(error)) return tooLong
  throw error
}
