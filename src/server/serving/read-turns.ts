import { isLookUp, limitsOf, type ListQuery } from '../../contract/list.ts'
import type { Environment } from '../db/environments/environment.ts'
import type { Db } from '../db/handles.ts'
import { ranOutOfTime } from '../db/lists/planned-cost.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { besides, type RecalledSession, whileStill } from '../http/recalled-session.ts'
import { type FairTurns, takeFairTurns } from '../session/take-fair-turns.ts'
import type { Binding } from '../http/binding.ts'
import type { Exchange, PublicExchange } from '../http/exchange.ts'
import { type Outcome, refuse } from '../http/outcome.ts'

type Work = (db: Db) => Promise<Outcome<unknown>>
/** Told the time of the state that is answered, where that is a copy's. */
type OnReplica = (stateAt: Date) => void
type Read = {
  exchange: PublicExchange | Exchange
  input: unknown
  recalled: RecalledSession | null
  signal: () => AbortSignal
  onReplica: OnReplica
}

type Lines = { long: FairTurns; search: FairTurns }

const linesOf = new WeakMap<Environment, Lines>()

/** Whether a read names the few items it wants, and so waits for nobody. */
const goesAtOnce = ({ endpoint, isLong }: ReadBinding, input: unknown): boolean =>
  !isLong && (endpoint.list === undefined || isLookUp((input as { list: ListQuery }).list, endpoint.list))

/** Runs a read: one of many rows waits its turn and is never refused, a few named items go at once. */
export async function inTurn(binding: ReadBinding, read: Read, work: Work): Promise<Outcome<unknown>> {
  const { exchange, input, recalled, signal, onReplica } = read
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
      : lines.long.run(who, signal(), () =>
          (binding.mayLag ? onReplicaFirst(environment, work, onReplica) : work(environment.reads)).catch(
            gaveUp,
          ),
        )
  return (await (recalled ? besides(environment.db, recalled, waited) : waited())) ?? leftTheLine
}

/** What fails on the copy (it stopped, has not this version's tables yet, gives way to what it must follow) is read from the database. */
async function onReplicaFirst(
  environment: Environment,
  work: Work,
  onReplica: OnReplica,
): Promise<Outcome<unknown>> {
  const copy = await environment.replica?.ready()
  if (!copy) return work(environment.reads)
  try {
    const outcome = await work(copy.db)
    onReplica(copy.stateAt)
    return outcome
  } catch (error) {
    tellPassedOver(environment, error)
    return work(environment.reads)
  }
}

/** Throws what the database would not do better. */
function tellPassedOver({ tell }: Environment, error: unknown): void {
  if (ranOutOfTime(error)) throw error
  tell({
    level: 'warn',
    message: `the copy at DATABASE_READ_URL is passed over for a read: ${String(error)}`,
  })
}

/** Reads of a call that needs many: each waits its turn, so that nobody waits behind all of them. Of a `copy` until it fails. */
export function readsInTurn(exchange: Exchange, signal: AbortSignal, copy: Db | null = null): ReadInTurn {
  const { environment } = exchange
  let from = copy
  return async (work) => {
    // A file that somebody fetches slowly keeps it open until its last row.
    environment.use()
    const { long } = linesFor(environment)
    const read = await long.run(whoAsks(exchange), signal, async () => {
      if (from === null) return { answer: await work(environment.reads) }
      try {
        return { answer: await work(from) }
      } catch (error) {
        tellPassedOver(environment, error)
        from = null
        return { answer: await work(environment.reads) }
      }
    })
    if (!read) throw new CallerLeft()
    return read.answer
  }
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
