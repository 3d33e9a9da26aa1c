import { type RawBuilder, sql } from 'kysely'

import type { AnswerOf } from '../../contract/endpoint.ts'
import type { Finding, listFindings as listFindingsCall } from '../../contract/inventories.ts'
import { collection } from '../../contract/list.ts'
import { type FindingGroup, findingGroups } from '../../domain/inventory.ts'
import type { Db } from '../db/handles.ts'
import { type FilterColumn, type OrderColumn, orderOf, whereOf } from '../db/lists/list-sql.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { accountName } from '../library-facts/person-names.ts'
import {
  visibleInventories,
  loanOpen,
  visibleLoans,
  mayNameBorrowers,
  readerNameWhere,
  readerOpen,
  visibilityFrom,
} from '../visibility/visibility.ts'
import { type Among, readingOf } from './findings.ts'
import { noSuchInventory } from './inventory-queries.ts'

/** What was found of an inventory in sight, some at a time, with how many each group has. */
export async function listFindings(
  db: Db,
  { params: { id }, list }: VerbInput<typeof listFindingsCall>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof listFindingsCall>>> {
  const reading = await readingIn(db, id, exchange)
  if (!reading) return noSuchInventory
  const { order: seen, joined } = reading.byLastSeen
  const found = sql`from ${reading.rows} f join inventories i on i.id = ${id}`
  const where = sql`where ${whereOf(visibleInventories(exchange.visibility), list.filters, filterColumns)}`
  const chosen = sql`${found} ${where}`
  const orderBy = (last: RawBuilder<unknown>) =>
    orderOf(list, { ...orders, last_seen_on: { nullable: last } }, place)
  const some = sql`${orderBy(seen)} limit ${list.limit} offset ${(list.page - 1) * list.limit}`
  const page = list.order.some(({ field }) => field === 'last_seen_on')
    ? sql`select f.*, ${seen} as seen_on ${found} ${joined} ${where} ${some}`
    : sql`select f.* ${chosen} ${some}`
  const [rows, groups, counted] = await Promise.all([
    dress(db, page, orderBy(sql`f.seen_on`), reading, exchange),
    countGroups(db, reading),
    list.filters.length === 0 ? null : sql<{ total: number }>`select count(*) as total ${chosen}`.execute(db),
  ])
  const all = Object.values(groups).reduce((sum, count) => sum + count, 0)
  return done({
    ...collection(rows, counted === null ? all : (counted.rows[0]?.total ?? 0)),
    groups,
  })
}

type Reading = ReturnType<typeof readingOf>

/** How its findings are read by the caller; null for what is not in sight. */
export async function readingIn(
  db: Db,
  inventory: number,
  { visibility, parameters }: Exchange,
  among?: Among,
): Promise<Reading | null> {
  const { rows } = await sql<{ status: string }>`
    select i.status from inventories i
    where i.id = ${inventory} and i.deleted_at is null and ${visibleInventories(visibility)}`.execute(db)
  if (!rows[0]) return null
  return readingOf({
    inventory,
    open: visibility.open,
    isApplied: rows[0].status === 'applied',
    timeZone: parameters.get('timezone'),
    ...(among ? { among } : {}),
  })
}

export async function countGroups(
  db: Db,
  { rows: findings }: Reading,
): Promise<Record<FindingGroup, number>> {
  const { rows } = await sql<{ group: FindingGroup; count: number }>`
    select f."group", count(*) as count from ${findings} f group by 1`.execute(db)
  const found = new Map(rows.map(({ group, count }) => [group, count]))
  return Object.fromEntries(findingGroups.map((group) => [group, found.get(group) ?? 0])) as Record<
    FindingGroup,
    number
  >
}

/** In the order of the review. */
export const groupPlace = sql`array_position(${sql.raw(`array['${findingGroups.join("','")}']`)}, f."group")`

/** No finding is on two pages. */
const place = sql`${groupPlace}, f.key`

const filterColumns: Record<string, FilterColumn> = {
  group: { column: sql`f."group"` },
  location: { column: sql`coalesce(f.seen_location, f.location)` },
  name: { column: sql`f.name` },
}

const orders: Record<string, OrderColumn> = {
  bar_code: sql`f.bar_code`,
  name: { nullable: sql`f.sort_name` },
  call_number: { nullable: sql`f.call_number` },
  location_label: { nullable: sql`nullif(search_text(f.location_label), '')` },
  scanned_at: { nullable: sql`f.scanned_at` },
}

/** Rows with what is told of their copies, in the same order again. */
export async function dress(
  db: Db,
  page: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  { lastSeen, lastLoan, copy }: Reading,
  { visibility }: Exchange,
): Promise<Finding[]> {
  const named = mayNameBorrowers(visibility)
    ? sql`case when ${loanOpen(visibility)} and ${visibleLoans(visibilityFrom(visibility, null))} then ${readerNameWhere(readerOpen(visibility))} end`
    : sql`null::text`
  const { rows } = await sql<Finding>`
    select f."group", f.key, ${copy} as copy, f.bar_code, f.name, f.call_number, m.name as medium,
      case when r.id is not null then ${coverPath} end as image_path, f.location_label, f.seen_location,
      f.seen_location_label, coalesce(s.name, '') as site_name, f.scanned_at, ${accountName('u')} as scanned_by, f.note,
      f.last_seen_on, case when ${loanOpen(visibility)} then l.start_date end as last_loan_on, ${named} as last_borrower, f.action, f.outcome
    from (
      select f."group", f.key, f.copy, f.bar_code, f.name, f.call_number, f.site, f.location_label, f.seen_location,
        f.seen_location_label, f.scanned_at, f.scanned_by, f.note, f.action, f.outcome,
        row_number() over (${order}) as place, ${lastSeen} as last_seen_on, ${lastLoan} as last_loan
      from (${page}) f) f
    left join sites s on s.id = f.site left join users u on u.id = f.scanned_by
    left join loanings l on l.id = f.last_loan left join beneficiaries b on b.id = l.beneficiary
    -- What may be named has a face.
    left join copies c on c.id = f.copy and f.name is not null left join "references" r on r.id = c.reference
    left join media m on m.id = r.medium
    order by f.place`.execute(db)
  return rows
}
