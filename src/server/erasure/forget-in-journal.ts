import { sql } from 'kysely'

import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { Trx } from '../db/handles.ts'

/** What a line tells of a reader, in whichever record it was written. */
const ofReader = [
  'beneficiary',
  'beneficiary_id',
  'beneficiary_info',
  'beneficiary_name',
  'relative',
  'comment',
  'return_comment',
  'delay_comment',
  'override_reason',
]

/** Takes readers out of the journal's lines on some records; who did what and when stays. Answers how many lines. */
export async function forgetInJournal(
  trx: Trx,
  entity: 'loanings' | 'reservations' | 'sales',
  ids: readonly number[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update audit_journal set before = before - ${ofReader}::text[], after = after - ${ofReader}::text[]
    where entity = ${entity} and entity_id = any(${ids}::int[])
      and (before ?| ${ofReader}::text[] or after ?| ${ofReader}::text[])`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** And what it tells of readers to whom something was written, or over whom a refusal was settled, before a day. */
export async function forgetTold(trx: Trx, before: CalendarDay): Promise<number> {
  const { numAffectedRows } = await sql`
    update audit_journal set before = null, after = after - ${ofReader}::text[] - 'motive' - 'reason' - 'earlier'
    where entity in ('settlements', 'mail', 'letters') and at < ${before}::date
      and (before is not null or after ?| ${[...ofReader, 'motive', 'reason', 'earlier']}::text[])`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
}
