import { type RawBuilder, sql } from 'kysely'

import type { CountedRow } from '../../contract/counted-rows.ts'
import type { Collection } from '../../contract/list.ts'
import type { listReaderRows as listReaderRowsCall, ReaderPart } from '../../contract/stats.ts'
import type { Db } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { askedPeriod } from './asked-period.ts'
import { borrowerRows } from './borrower-rows.ts'
import { known, readCountedRows } from './counted-rows.ts'
import { seniorityAt } from './read-reader-stats.ts'

/** Who borrowed in a period, from the very relation that counts them. */
export async function listReaderRows(
  db: Db,
  { query }: VerbInput<typeof listReaderRowsCall>,
  exchange: Exchange,
): Promise<Outcome<Collection<CountedRow>>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, sight } = asked
  const timezone = exchange.parameters.get('timezone')
  const columns: Record<ReaderPart, RawBuilder<unknown>> = {
    contract: known(sql`x.contract_type`),
    seniority: seniorityAt(period.end_date),
    site: known(sql`x.agency_id`),
  }
  const { by, part: key, page } = query
  const parts = by === undefined ? [] : [{ by: columns[by], key }]
  return done(await readCountedRows(db, borrowerRows({ period, sight, timezone }, false), { parts, page }))
}
