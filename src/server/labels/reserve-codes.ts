import { noSuchSite, takeNextBarCodes } from '../catalogue/next-bar-code.ts'
import type { Trx } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, notFound, type Outcome, type Refused } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'

type Wanted = {
  key: string | undefined
  site: number
  count: number
  /** Why a code cannot be printed; then none is taken. */
  refuses: (code: string) => Refused | null
}

/** Takes back, with its transaction, all that was reserved. */
export class NotReserved extends Error {
  override name = 'NotReserved'
  readonly refused: Refused
  constructor(refused: Refused) {
    super(refused.refusal.message)
    this.refused = refused
  }
}

/**
 * Codes of a site that no copy has and none is ever given again; one key is given the same ones whenever it asks. Throws
 * `NotReserved`.
 */
export async function reserveCodes(
  trx: Trx,
  { key, site, count, refuses }: Wanted,
  exchange: Exchange,
): Promise<Outcome<string[]>> {
  const { caller, now, visibility } = exchange
  if (!isSiteOpen(visibility, site)) return notFound(noSuchSite)
  const range = {
    key: key ?? crypto.randomUUID(),
    site,
    user_id: caller.user_id,
    bar_codes: [] as string[],
    printed_at: now.toISOString(),
  }
  // Of two that ask under one key at once, the second waits here for the first one's codes.
  const kept = await trx
    .insertInto('code_ranges')
    .values(range)
    .onConflict((conflicting) => conflicting.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!kept) return codesKept(trx, range, count)
  const taken = await takeNextBarCodes(trx, site, count)
  if (!taken.ok) throw new NotReserved(taken)
  const bar_codes = taken.answer
  for (const code of bar_codes) {
    const refused = refuses(code)
    if (refused) throw new NotReserved(refused)
  }
  await trx.updateTable('code_ranges').set({ bar_codes }).where('key', '=', range.key).execute()
  await journal(trx, exchange, {
    action: 'bar_codes.reserve',
    entity: 'bar_codes',
    entity_id: null,
    before: null,
    after: { site, count, first: bar_codes[0], last: bar_codes.at(-1) },
  })
  return taken
}

async function codesKept(
  trx: Trx,
  { key, site, user_id }: { key: string; site: number; user_id: number },
  count: number,
): Promise<Outcome<string[]>> {
  const { bar_codes, ...range } = await trx
    .selectFrom('code_ranges')
    .select(['site', 'user_id', 'bar_codes'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  const isTheSame = range.site === site && range.user_id === user_id && bar_codes.length === count
  return isTheSame
    ? done(bar_codes)
    : conflict(
        'KEY_REUSED',
        'Cette clé est celle d’une autre série d’étiquettes\u202f: demandez-en une nouvelle.',
      )
}
