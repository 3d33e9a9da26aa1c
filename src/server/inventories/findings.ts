import { type RawBuilder, sql } from 'kysely'

import type { FindingAction, FindingGroup } from '../../domain/inventory.ts'
import type { Db, Trx } from '../db/handles.ts'
import { atSites } from '../db/lists/list-sql.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { expectedOf, livingScans } from './counted-copies.ts'

/** A finding f of what follows: bare facts, which reading dresses. */
export type FindingRow = {
  group: FindingGroup
  key: string
  copy: number | null
  bar_code: string
  name: string | null
  sort_name: string | null
  call_number: string | null
  /** Of the copy, where it is none of the inventory's site. */
  site: number | null
  location: number | null
  location_label: string | null
  seen_location: number | null
  seen_location_label: string | null
  scanned_at: string | null
  scanned_by: number | null
  note: string
  action: FindingAction | null
  outcome: 'done' | 'left' | null
}

export type Among = { copies: readonly number[]; keys: readonly string[] }
type Of = {
  inventory: number
  /** Titles and places of copies of other sites are none's; null opens all. */
  open: readonly number[] | null
  /** Only those about these copies, and about nobody's labels that came by these keys. */
  among?: Among
}

/** What the scans say now, beside what is kept of each copy. */
export function findingsNow({ inventory, open, among }: Of): RawBuilder<unknown> {
  const ofThese = (column: RawBuilder<unknown>) =>
    among ? sql`${column} = any(${[...among.copies]}::int[])` : sql`true`
  const ofKeys = among ? sql`k.key = any(${[...among.keys]}::uuid[])` : sql`true`
  const isOpen = atSites(sql`c.site`, open)
  return sql`(
    with scanned as materialized (
      select distinct on (living.found) living.found as copy, living.bar_code, living.location, living.scanned_at,
        living.user_id, living.note
      from ${livingScans(inventory)} living where ${ofThese(sql`living.found`)}
      order by living.found, living.scanned_at desc, living.key)
    select found."group", c.id::text as key, c.id as copy,
      case when ${isOpen} then c.bar_code else coalesce(found.bar_code, '') end as bar_code,
      case when ${isOpen} then r.name end as name, case when ${isOpen} then r.sort_name end as sort_name,
      case when ${isOpen} then ${shelfMark} end as call_number,
      nullif(c.site, found.site) as site, case when ${isOpen} then c.location end as location,
      case when ${isOpen} then lo.label end as location_label,
      found.seen_location, seen.label as seen_location_label, found.scanned_at, found.scanned_by, found.note,
      null::text as action, null::text as outcome
    from (
      select 'missing' as "group", c.id as copy, n.site, null::text as bar_code, null::int as seen_location,
        null::timestamptz as scanned_at, null::int as scanned_by, '' as note
      ${expectedOf(inventory)} and ${ofThese(sql`c.id`)} and not exists (select from scanned s where s.copy = c.id)
      union all
      select of."group", c.id, n.site, s.bar_code, s.location, s.scanned_at, s.user_id, s.note
      from inventories n cross join scanned s join copies c on c.id = s.copy
        cross join lateral unnest(${groupsOfScanned}) of("group")
      where n.id = ${inventory}) found
    join copies c on c.id = found.copy join "references" r on r.id = c.reference
    left join locations lo on lo.id = c.location left join locations seen on seen.id = found.seen_location
    union all
    select 'unknown', k.key::text, null, k.bar_code, null, null, null, null, null, null, k.location, seen.label,
      k.scanned_at, k.user_id, k.note, null, null
    from (
      select distinct on (k.bar_code) k.* from inventory_scans k
      where k.inventory = ${inventory} and not k.taken_back and k.copy is null and ${ofKeys}
        and not exists (select from copies b where b.bar_code = k.bar_code and b.deleted_at is null)
      order by k.bar_code, k.scanned_at desc, k.key) k
    left join locations seen on seen.id = k.location)`
}

/** On loan since before it was scanned: on the shelf all the same. */
const wasLent = sql`exists (
  select from loanings l where l.copy = c.id and l.status = 'in_progress' and l.lent_at < s.scanned_at)`
const isIn = sql`(c.deleted_at is null and c.status <> 'En transfert' and (c.status <> 'En Location' or ${wasLent}))`
const isAstray = sql`(c.site <> n.site or case
  when s.location is not null then c.location is distinct from s.location
  else n.locations <> '{}' and c.location is not null and c.location <> all(n.locations) end)`

/** What a copy c that was last scanned by s belongs to; nothing where all is well. */
const groupsOfScanned = sql`array_remove(array[
  case when ${isIn} and ${isAstray} then 'misplaced' end,
  case when ${isIn} and c.status = 'En Location' then 'on_shelf' end,
  case when ${isIn} and c.status = 'Non Disponible' then 'found_again' end,
  case when c.deleted_at < s.scanned_at then 'withdrawn' end], null)`

/** What an applied inventory had found. */
const findingsKept = ({ inventory, open, among }: Of): RawBuilder<unknown> => {
  const isOpen = sql`(kept.site is null or ${atSites(sql`kept.site`, open)})`
  return sql`(
    select kept."group", kept.key, kept.copy, case when ${isOpen} then kept.bar_code else '' end as bar_code, case when ${isOpen} then kept.name end as name,
      case when ${isOpen} then search_text(kept.name) end as sort_name,
      case when ${isOpen} then kept.call_number end as call_number, kept.site,
      case when ${isOpen} then kept.location end as location,
      case when ${isOpen} then kept.location_label end as location_label,
      kept.seen_location, kept.seen_location_label, kept.scanned_at, kept.scanned_by, kept.note, kept.action, kept.outcome,
      kept.last_seen_on, kept.last_loan
    from inventory_findings kept
    where kept.inventory = ${inventory} and ${among ? sql`kept.key = any(${[...among.keys, ...among.copies.map(String)]}::text[])` : sql`true`})`
}

/** How the findings of an inventory are read: as they are, or as they were when it was applied. */
export function readingOf(of: Of & { isApplied: boolean; timeZone: string }) {
  const isOpen = sql`(f.site is null or ${atSites(sql`f.site`, of.open)})`
  const told = (fact: RawBuilder<unknown>) =>
    of.open === null ? fact : sql`case when ${isOpen} then ${fact} end`
  const read = of.isApplied
    ? { rows: findingsKept(of), lastSeen: sql`f.last_seen_on`, lastLoan: sql`f.last_loan`, everySeen: null }
    : {
        rows: findingsNow(of),
        lastSeen: lastSeenOf(of.inventory, of.timeZone),
        lastLoan,
        everySeen: everyLastSeen(of.inventory, of.timeZone),
      }
  return {
    rows: read.rows,
    lastSeen: told(read.lastSeen),
    /** What puts findings f in the order of it, once the second is joined. */
    byLastSeen: read.everySeen
      ? { order: told(sql`s.seen_on`), joined: sql`left join ${read.everySeen} s on s.copy = f.copy` }
      : { order: told(read.lastSeen), joined: sql`` },
    lastLoan: told(read.lastLoan),
    copy: told(sql`f.copy`),
  }
}

/** Of a copy's loans the last one began last, for they follow each other. */
export const lastLoan = sql`(
  select l.id from loanings l where l.copy = f.copy and l.deleted_at is null and l.status <> 'cancelled'
  order by l.start_date desc, l.id desc limit 1)`

/** Counted in another inventory, lent or returned. */
export const lastSeenOf = (inventory: number, timeZone: string): RawBuilder<unknown> => sql`greatest(
  (select (max(p.scanned_at) at time zone ${timeZone}::text)::date from inventory_scans p
    where p.copy = f.copy and not p.taken_back and p.inventory <> ${inventory}),
  (select greatest(l.start_date, l.return_date) from loanings l where l.id = ${lastLoan}))`

/** The same of every copy at once, as s, for an order of all findings. */
const everyLastSeen = (inventory: number, timeZone: string): RawBuilder<unknown> => sql`(
  select copy, max(seen_on) as seen_on from (
    (select p.copy, (max(p.scanned_at) at time zone ${timeZone}::text)::date as seen_on from inventory_scans p
      where p.copy is not null and not p.taken_back and p.inventory <> ${inventory} group by p.copy)
    union all
    (select distinct on (l.copy) l.copy, greatest(l.start_date, l.return_date) from loanings l
      where l.deleted_at is null and l.status <> 'cancelled' order by l.copy, l.start_date desc, l.id desc)) seen
  group by copy)`

/** By group and key, those about some copies as they are now. */
export async function findingsAmong(
  trx: Trx | Db,
  inventory: number,
  among: Among,
): Promise<Map<string, FindingRow & { last_loan: number | null }>> {
  const { rows } = await sql<FindingRow & { last_loan: number | null }>`
    select f.*, ${lastLoan} as last_loan from ${findingsNow({ inventory, open: null, among })} f`.execute(trx)
  return new Map(rows.map((row) => [`${row.group} ${row.key}`, row]))
}
