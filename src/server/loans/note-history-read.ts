import { sql } from 'kysely'

import type { Exchange } from '../http/exchange.ts'

/** Who looks at the same reader again within the hour is at the same work. */
const onceInMs = 3600_000

type Shown = { beneficiary: number | null; status: string }

/** The one reader whose ended loans these rows show to somebody who asked for a person, or null. */
export function whoseHistory(
  { filters }: { filters: readonly { field: string }[] },
  rows: readonly Shown[],
): number | null {
  if (!filters.some(({ field }) => field === 'beneficiary' || field === 'benefsearchname')) return null
  const readers = new Set(rows.map(({ beneficiary }) => beneficiary))
  const [reader = null] = readers
  return readers.size === 1 && rows.some(({ status }) => status !== 'in_progress') ? reader : null
}

/** Writes that somebody read what a reader had borrowed; where that cannot be written, the reading goes on. */
export async function noteHistoryRead(
  { environment, caller, device_id, now, visibility }: Exchange,
  reader: number | null,
): Promise<void> {
  // What came back today is not the history.
  if (reader === null || visibility.returnsSince !== null) return
  const since = new Date(now.getTime() - onceInMs).toISOString()
  try {
    await sql`
      insert into audit_journal (at, user_id, device_id, action, entity, entity_id)
      select ${now.toISOString()}::timestamptz, ${caller.user_id}::int, ${device_id}::text, 'beneficiaries.history_read', 'beneficiaries', ${reader}::int
      where not exists (
        select from audit_journal j where j.entity = 'beneficiaries' and j.entity_id = ${reader}
          and j.action = 'beneficiaries.history_read' and j.user_id = ${caller.user_id} and j.at > ${since})`.execute(
      environment.db,
    )
  } catch (error) {
    environment.tell({ level: 'error', message: `a reading of a history was not written: ${String(error)}` })
  }
}
