import { type RawBuilder, sql } from 'kysely'

import type {
  exportReferenceStats as exportReferenceStatsCall,
  readReferenceStats as readReferenceStatsCall,
  ReferenceStats,
} from '../../contract/stats.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import type { Period } from '../../domain/stat-periods.ts'
import type { Db } from '../db/handles.ts'
import { isBounded } from '../db/lists/planned-cost.ts'
import { placesOf } from '../db/lists/ranking.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { packIds, sortNumbers, unpackIds } from '../db/lists/sort-numbers.ts'
import { oneRow } from '../db/one-row.ts'
import { tableFile } from '../files/table-file.ts'
import type { FileColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import { referencesByName } from '../library-facts/rankings.ts'
import { type Visibility, visibleCopies } from '../visibility/visibility.ts'
import { askedPeriod } from './asked-period.ts'
import { countsOf, slicesOfTable } from './in-slices.ts'
import { lentInSlices, loansBy, mostLent } from './most-lent.ts'
import { partsOf } from './parts.ts'

type Asked = VerbInput<typeof readReferenceStatsCall>['query']

/** What the catalogue is made of, and what of it was lent most. */
export async function readReferenceStats(
  db: Db,
  { query }: VerbInput<typeof readReferenceStatsCall>,
  exchange: Exchange,
): Promise<Outcome<ReferenceStats>> {
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, before, visibility } = asked
  const found = await countsOf(
    db,
    await slicesOfTable(db, 'references', sql`r.id`),
    { category: 'int', medium: 'int' },
    (slice) => sql`
      select r.category, r.medium, count(*)::int as count from "references" r where ${foundBy(query, visibility)} and ${slice} group by 1, 2`,
  )
  const counted = await oneRow<Omit<ReferenceStats, 'period' | 'before' | 'sites' | 'tops'>>(
    db,
    sql`
    with found as materialized (select * from ${found} told)
    select coalesce(sum(count), 0)::int as total,
      ${partsOf(sql`found`, { column: 'category', table: 'categories', count: titles })} as categories,
      ${partsOf(sql`found`, { column: 'medium', table: 'media', count: titles })} as media
    from found`,
  )
  const first = await mostLent(
    db,
    'reference',
    asked,
    (lent) => sql`
      select r.id, r.name, lent.loans from ${lent} join "references" r on r.id = lent.id
      where ${foundBy(query, visibility)} order by lent.loans desc, r.name, r.id limit 10`,
  )
  const lent = await oneRow<Pick<ReferenceStats, 'tops'>>(
    db,
    sql`
    select coalesce(json_agg(json_build_object('id', top.id, 'name', top.name, 'loans', top.loans)
        order by top.loans desc, top.name, top.id), '[]') as tops
    from (${first}) top`,
  )
  return done({ period, before, sites: visibility.listed && [...visibility.listed], ...counted, ...lent })
}

const titles = sql`sum(x.count)::int`

/** Of a site: those that have a copy there. */
function foundBy({ category, medium }: Asked, visibility: Visibility): RawBuilder<unknown> {
  const conditions = [
    sql`r.deleted_at is null`,
    ...(category ? [sql`r.category = any(${category}::int[])`] : []),
    ...(medium ? [sql`r.medium = ${medium}`] : []),
    ...(visibility.listed === null
      ? []
      : [
          sql`exists (select from copies c where c.reference = r.id and c.deleted_at is null and ${visibleCopies(visibility)})`,
        ]),
  ]
  return sql.join(conditions, sql` and `)
}

type Row = {
  name: string
  author: string | null
  category: string | null
  medium: string | null
  copies: number
  loans: number
}

/** All of them with their loans, those that were lent most first. */
export async function exportReferenceStats(
  reads: ReadInTurn,
  { query }: VerbInput<typeof exportReferenceStatsCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  const { parameters, now } = exchange
  const asked = askedPeriod(query, exchange)
  if (!asked.ok) return asked
  const { period, visibility } = asked
  const about = `${parameters.get('work_council')}, du ${frenchDay(period.start_date)} au ${frenchDay(period.end_date)}`
  return done({
    name: fileName('stats-refs', 'xlsx', now, parameters.get('timezone')),
    type: 'xlsx',
    bytes: tableFile(
      { title: 'Prêts par référence', about, columns, rows: rowsOf(reads, query, period, visibility) },
      'xlsx',
      await houseWording(reads),
    ),
  })
}

const pageSize = 1000

type Within = { period: Period; visibility: Visibility }
type Ordered = { id: number; loans: number }

async function orderInOne(db: Db, query: Asked, { period, visibility }: Within): Promise<Ordered[]> {
  const { rows } = await sql<Ordered>`
    select r.id, coalesce(lent.loans, 0) as loans from "references" r
      left join (${loansBy('reference', period, visibility)}) lent on lent.id = r.id
    where ${foundBy(query, visibility)} order by 2 desc, r.sort_name, r.id`.execute(db)
  return rows
}

/** The same where no statement may be long: names are remembered by their places, and sorted here. */
async function orderInSlices(db: Db, query: Asked, { period, visibility }: Within): Promise<Ordered[]> {
  const places = await placesOf(db, referencesByName)
  const lent = await lentInSlices(db, 'reference', { period, visibility })
  const ids: number[] = []
  for (const slice of await slicesOfTable(db, 'references', sql`r.id`)) {
    const { rows } = await sql<{ ids: Buffer }>`
      select ${packIds(sql`id`)} as ids
      from (select r.id from "references" r where ${foundBy(query, visibility)} and ${slice} order by r.id) found`.execute(
      db,
    )
    ids.push(...unpackIds(rows[0]?.ids ?? Buffer.of()))
  }
  const order = await sortNumbers(ids.length, [
    { numbers: Float64Array.from(ids, (id) => lent.get(id) ?? 0), isRising: false },
    { numbers: Float64Array.from(ids, (id) => places.get(id) ?? Infinity), isRising: true },
  ])
  return Array.from(order, (at) => ids[at] ?? 0).map((id) => ({ id, loans: lent.get(id) ?? 0 }))
}

/** The order is read once, so that a loan made meanwhile moves no row from one page to the next. */
async function* rowsOf(
  reads: ReadInTurn,
  query: Asked,
  period: Period,
  visibility: Visibility,
): AsyncGenerator<Row[]> {
  const ordered = await reads((db) =>
    (isBounded(db) ? orderInSlices : orderInOne)(db, query, { period, visibility }),
  )
  for (let at = 0; at < ordered.length; at += pageSize) {
    const page = ordered.slice(at, at + pageSize)
    const ids = page.map(({ id }) => id)
    const { rows } = await reads((db) =>
      sql<Omit<Row, 'loans'> & { id: number }>`
        select r.id, r.name, r.tags ->> 'author' as author, cat.name as category, m.name as medium,
          (select count(*) from copies c where c.reference = r.id and c.deleted_at is null and ${visibleCopies(visibility)})::int as copies
        from "references" r left join categories cat on cat.id = r.category left join media m on m.id = r.medium
        where r.id = any(${ids}::int[])`.execute(db),
    )
    const told = new Map(rows.map((row) => [row.id, row]))
    yield page.flatMap(({ id, loans }) => {
      const row = told.get(id)
      return row ? [{ ...row, loans }] : []
    })
  }
}

const columns: FileColumn<Row>[] = [
  { title: 'Référence', width: 40, kind: 'text', value: 'name' },
  { title: 'Auteur', width: 24, kind: 'text', value: 'author' },
  { title: 'Catégorie', width: 18, kind: 'text', value: 'category' },
  { title: 'Support', width: 16, kind: 'text', value: 'medium' },
  { title: 'Exemplaires', width: 12, kind: 'count', value: 'copies' },
  { title: 'Prêts', width: 10, kind: 'count', value: 'loans' },
]
