import type { Trx } from '../db/handles.ts'
import { insertRows } from '../db/insert-rows.ts'
import type { PublicExchange } from './exchange.ts'
import type { Caller } from '../visibility/caller.ts'

type JournalEntry = {
  /** What was done, as `subject.verb`. */
  action: string
  entity: string
  entity_id: number | null
  before?: object | null
  after?: object | null
  /** What the call says of its device, written where none proved itself. */
  device_id?: string | undefined
}

/** What the journal asks of a call; without a session, the caller is the account that it is about. */
export type Witnessed = Pick<PublicExchange, 'now' | 'key'> & {
  caller: Pick<Caller, 'user_id'>
  on_behalf_of?: number | null
  device_id?: string | null
  act?: number
}

const lineOf = (exchange: Witnessed, entry: JournalEntry) => ({
  at: exchange.now.toISOString(),
  user_id: exchange.caller.user_id,
  device_id: exchange.device_id ?? entry.device_id ?? null,
  action: entry.action,
  entity: entry.entity,
  entity_id: entry.entity_id,
  before: told(entry.entity, entry.before),
  after: told(entry.entity, entry.after),
  idempotency_key: exchange.key,
  on_behalf_of: exchange.on_behalf_of ?? null,
  ...(exchange.act === undefined ? {} : { act: exchange.act }),
})

// Who has a copy and who waits for it is told by their own records, which forget them: a line on the copy never would.
const leftOut: Readonly<Record<string, readonly string[]>> = {
  copies: ['loaning', 'reservations'],
  references: ['copies'],
}

function told(entity: string, facts: object | null | undefined): object | null {
  if (!facts) return null
  const left = leftOut[entity]
  return left ? Object.fromEntries(Object.entries(facts).filter(([name]) => !left.includes(name))) : facts
}

const written = (facts: object | null): string | null => facts && JSON.stringify(facts)

export function journalled(trx: Trx, exchange: Witnessed, entry: JournalEntry) {
  const line = lineOf(exchange, entry)
  return trx
    .insertInto('audit_journal')
    .values({ ...line, before: written(line.before), after: written(line.after) })
}

export async function journal(trx: Trx, exchange: Witnessed, entry: JournalEntry): Promise<void> {
  await journalled(trx, exchange, entry).execute()
}

const linesAtOnce = 500

export async function journalEach(
  trx: Trx,
  exchange: Witnessed,
  entries: readonly JournalEntry[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += linesAtOnce) {
    const lines = entries.slice(at, at + linesAtOnce).map((entry) => lineOf(exchange, entry))
    await insertRows(trx, 'audit_journal', lines)
  }
}
