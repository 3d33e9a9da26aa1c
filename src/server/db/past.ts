import { sql } from 'kysely'

import type { Db, Trx } from './handles.ts'

/** PostgreSQL's timeline, which each recovery to an instant and each promotion begins anew; null of a copy, which takes no writes. */
export const timelineNow =
  'case when pg_is_in_recovery() then null else left(pg_walfile_name(pg_current_wal_lsn()), 8) end'

export async function currentTimeline(db: Db): Promise<string | null> {
  const { rows } = await sql<{ timeline: string | null }>`select ${sql.raw(timelineNow)} as timeline`.execute(
    db,
  )
  return rows[0]?.timeline ?? null
}

/** Which database this is, and its timeline; null of a copy. Asked where no table is read (docs/scaling.md, « A distributed engine »). */
export const toldPast = sql<string | null>`(
  select system_identifier || '/' || ${sql.raw(timelineNow)} from pg_control_system())`

export async function pastOfToday(db: Db): Promise<string> {
  const { rows } = await sql<{ past: string | null }>`select ${toldPast} as past`.execute(db)
  return rows[0]?.past ?? noPast
}

/** Of a library that a backup brought back: no database's. */
export const noPast = ''

/** A desk registers no more readers than that in the moments, or the minutes, that are lost. */
const sparedReaders = { restored: 100, promoted: 20 }

/** Whether only the last moments of this very database are lost, and not all since a backup. */
const isPromoted = (past: string) => sql`split_part(e.past, '/', 1) = split_part(${past}, '/', 1)`

/** Since the last line of the journal; 0 without one. */
async function secondsSinceJournal(trx: Trx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(0, extract(epoch from clock_timestamp() - at))::bigint as seconds
    from audit_journal order by id desc limit 1`.execute(trx)
  return rows[0]?.seconds ?? 0
}

/** A matricule is on a card: after a restore numbering goes on further on, by one more for each minute since the last line of the journal. */
const passLostMatricules = (trx: Trx, past: string, minutes: number) =>
  sql`
  update environment e set passed_matricule = greatest(passed_matricule, coalesce((
    select matricule::bigint from beneficiaries where matricule ~ '^[0-9]{1,15}$'
    order by matricule::bigint desc limit 1), 0))
    + case when ${isPromoted(past)} then ${sparedReaders.promoted}::bigint
      else ${sparedReaders.restored + minutes}::bigint end`.execute(trx)

/** No library gives so many numbers between two backups in one go, as an import does. */
const sparedNumbers = 1_000_000
const numbersASecond = 20

/** Codes are printed and have a width: fewer are passed over where only a machine was lost, which is some moments. */
const sparedCodes = { restored: 1000, promoted: 200 }

/**
 * What was labelled since must be no other copy's: each site's numbering goes on further on, after a restore by one more for each
 * minute since the last line of the journal. EAN-13 has an end: a tenth of what is left there is the most.
 */
const passLostBarCodes = (trx: Trx, past: string, minutes: number) =>
  sql`
  update sites set last_number = last_number + least(spared.codes, (
    case when bar_codes_configuration ->> 'symbology' = 'EAN13'
      then (10 ^ (12 - length(bar_codes_configuration ->> 'siteCode')))::bigint - 1 else ${Number.MAX_SAFE_INTEGER} end
    - last_number) / 10)
  from (
    select case when ${isPromoted(past)} then ${sparedCodes.promoted}::bigint
      else ${sparedCodes.restored + minutes}::bigint end as codes
    from environment e) spared
  where last_number is not null`.execute(trx)

/**
 * Where a library was brought back or its database is another than when it was last opened, its numbers go on further on: those
 * given since are lost here, but devices and papers still name them. Answers whether they do.
 */
export const passLostNumbers = (db: Db): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const past = await pastOfToday(trx)
    // Servers that open it at once wait here for each other.
    const { rows } = await sql<{ isLost: boolean }>`
      select past <> ${past} as "isLost" from environment for update`.execute(trx)
    if (rows[0]?.isLost !== true) return false
    // More by the second than a library gives, so that the same backup brought back twice gives other numbers; half of what is left never runs out.
    const seconds = await secondsSinceJournal(trx)
    const minutes = Math.floor(seconds / 60)
    await sql`
      select setval(format('%I.%I', schemaname, sequencename)::regclass,
        last + least(${sparedNumbers + seconds * numbersASecond}::bigint, (max_value - last) / 2))
      from pg_sequences, lateral (select coalesce(last_value, start_value) as last) given
      where schemaname = current_schema()`.execute(trx)
    await passLostBarCodes(trx, past, minutes)
    await passLostMatricules(trx, past, minutes)
    await sql`update environment set past = ${past}`.execute(trx)
    return true
  })
