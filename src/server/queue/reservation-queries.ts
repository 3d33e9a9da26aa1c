import { type RawBuilder, sql } from 'kysely'
import { createHash } from 'node:crypto'

import { collection, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import type { Reservation } from '../../contract/reservations.ts'
import type { DurationType } from '../../domain/loan-rules.ts'
import { estimatedAmount } from '../../domain/reservation-amount.ts'
import type { Db, Trx } from '../db/handles.ts'
import { atSites, everyWord, type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import { everyId, type LongList, type LongOrder, type ReadInTurn, readIds } from '../db/lists/read-list.ts'
import type { Exchange } from '../http/exchange.ts'
import { notFound } from '../http/outcome.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { readerInfo, readerName } from '../library-facts/person-names.ts'
import { beneficiariesByName, referencesByName } from '../library-facts/rankings.ts'
import { titlesMatching } from '../library-facts/title-search.ts'
import {
  areAllReadersOpen,
  isReaderOpen,
  isSiteOpen,
  readerElsewhere,
  readerOpen,
  visibleReservationSites,
  visibleShelves,
  type Visibility,
} from '../visibility/visibility.ts'

export const noSuchReservation = notFound('Cette réservation n’existe pas.')

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`v.id` },
  benefsearchname: { test: ({ value }) => everyWord(sql`b.search`, value) },
  referencesearchname: { test: ({ value }) => titlesMatching(sql`r.search`, value) },
  beneficiary_id: { column: sql`v.beneficiary_id` },
  reference_id: { column: sql`v.reference_id` },
  copy_id: { column: sql`v.copy_id` },
  start_date: { column: sql`v.start_date` },
  end_date: { column: sql`v.end_date` },
  status: { column: sql`v.status` },
  source: { column: sql`v.source` },
  site: { column: sql`v.site` },
  served: { test: ({ value }) => (value ? sql`v.fulfilled_by is not null` : sql`v.fulfilled_by is null`) },
  set_aside: {
    test: ({ value }) => (value ? sql`(${isSetAside})` : sql`not (${isSetAside})`),
  },
  pickup_until: { column: sql`v.pickup_until` },
}

const isSetAside = sql`v.set_aside_copy is not null and v.fulfilled_by is null`

const daysOf = (column: RawBuilder<unknown>) => sql`(${column} - date '2000-01-01')`

const ordersFor = (visibility: Visibility): Record<string, LongOrder> => ({
  id: { sorts: sql`v.id`, number: sql`v.id` },
  reservation_date: { sorts: sql`v.reservation_date`, number: sql`extract(epoch from v.reservation_date)` },
  start_date: { sorts: { nullable: sql`v.start_date` }, number: daysOf(sql`v.start_date`) },
  end_date: { sorts: { nullable: sql`v.end_date` }, number: daysOf(sql`v.end_date`) },
  status: {
    sorts: sql`v.status`,
    number: sql`array_position(array['canceled', 'confirmed', 'refused', 'waiting'], v.status)`,
  },
  source: { sorts: sql`v.source`, number: sql`array_position(array['media', 'online'], v.source)` },
  queuePosition: { sorts: { nullable: sql`v.queue_position` }, number: sql`v.queue_position` },
  pickup_until: { sorts: { nullable: sql`v.pickup_until` }, number: daysOf(sql`v.pickup_until`) },
  reference_name: { sorts: sql`r.sort_name`, number: { of: sql`v.reference_id`, ranked: referencesByName } },
  // Unnamed readers come last, because their place would tell the name.
  beneficiary_lastname: areAllReadersOpen(visibility)
    ? { sorts: sql`b.sort_name`, number: { of: sql`v.beneficiary_id`, ranked: beneficiariesByName } }
    : {
        sorts: { nullable: sql`case when ${readerOpen(visibility)} then b.sort_name end` },
        number: {
          of: sql`(select b.id from beneficiaries b where b.id = v.beneficiary_id and ${readerOpen(visibility)})`,
          ranked: beneficiariesByName,
        },
      },
})

/** Filters that would tell whose the unnamed reservations are. */
const findsReader = ({ field }: Filter) => field === 'beneficiary_id' || field === 'benefsearchname'

const asksForShelf = (filters: readonly Filter[]) =>
  filters.some(({ field, value }) => field === 'set_aside' && value === true)

function reservationsFound({ filters }: ListQuery, visibility: Visibility): LongList {
  const kept = [
    sql`v.deleted_at is null`,
    // Served ones leave the list until they are asked for.
    ...(filters.some(({ field }) => field === 'served' || field === 'id')
      ? []
      : [sql`v.fulfilled_by is null`]),
    whereOf(
      asksForShelf(filters) ? visibleShelves(visibility) : visibleReservationSites(visibility),
      filters,
      filterColumns,
    ),
    ...(filters.some(findsReader) ? [readerOpen(visibility)] : []),
  ]
  return {
    table: sql`reservations`,
    id: sql`v.id`,
    from: () =>
      sql`reservations v join beneficiaries b on b.id = v.beneficiary_id join "references" r on r.id = v.reference_id`,
    where: sql.join(kept, sql` and `),
    orders: ordersFor(visibility),
  }
}

type Asking = Pick<Exchange, 'visibility' | 'parameters'>

export async function listReservations(
  db: Db,
  list: ListQuery,
  exchange: Asking,
): Promise<Collection<Reservation>> {
  const { ids, total } = await readIds(db, list, reservationsFound(list, exchange.visibility))
  return collection(await readReservations(db, ids, exchange), total)
}

export async function* everyReservation(
  reads: ReadInTurn,
  list: ListQuery,
  exchange: Asking,
): AsyncGenerator<Reservation[]> {
  for await (const ids of everyId(reads, list, reservationsFound(list, exchange.visibility))) {
    yield await reads((db) => readReservations(db, ids, exchange))
  }
}

type Row = Omit<Reservation, '@id' | '@type' | 'amount' | 'version'> & {
  agency_id: number | null
  price: string
  duration: number | null
  duration_type: DurationType | null
}

/** Those that are not deleted, in the order of the ids. */
export async function readReservations(
  db: Db | Trx,
  ids: number[],
  exchange: Asking,
): Promise<Reservation[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select v.id, v.beneficiary_id, ${readerInfo} as beneficiary_info, ${readerName} as beneficiary_name, b.agency_id,
      coalesce(b.email, '') <> '' as beneficiary_has_contact_email,
      v.reference_id, r.name as reference_name, m.name as medium, ${coverPath} as image_path,
      v.copy_id, c.bar_code as copy_barcode, v.start_date, v.end_date,
      v.status, v.source, v.reservation_date, v.queue_position as "queuePosition", v.comment, v.cycle_value,
      v.site, s.name as site_name, v.set_aside_copy, aside.bar_code as set_aside_barcode,
      aside.status as set_aside_status, aside.site as set_aside_site, lies.name as set_aside_site_name, v.set_aside_at,
      v.pickup_until, v.fulfilled_by,
      coalesce(aside.price, c.price, r.price) as price, m.duration, m.duration_type
    from reservations v
      join beneficiaries b on b.id = v.beneficiary_id
      join "references" r on r.id = v.reference_id
      left join media m on m.id = r.medium
      left join copies c on c.id = v.copy_id
      left join copies aside on aside.id = v.set_aside_copy
      left join sites lies on lies.id = aside.site
      left join sites s on s.id = v.site
    where v.id = any(${ids}::int[]) and v.deleted_at is null
    order by array_position(${ids}::int[], v.id)`.execute(db)
  return rows.map((row) => serialize(row, exchange))
}

function serialize(
  { agency_id, price, duration, duration_type, ...row }: Row,
  { visibility, parameters }: Asking,
): Reservation {
  const nameless = { beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere }
  return {
    '@id': `/api/reservations/${row.id}`,
    '@type': 'Reservation',
    ...row,
    ...(isReaderOpen(visibility, agency_id) ? {} : nameless),
    amount: parameters.flag('enable_reservations_amount')
      ? estimatedAmount(price, row, { duration, duration_type })
      : null,
    version: versionOf(row),
  }
}

/** Of what a form shows: the places of a queue move without anybody having changed the reservation. */
const versionOf = (one: Pick<Row, (typeof versioned)[number]>): string =>
  createHash('sha256')
    .update(JSON.stringify(versioned.map((field) => one[field])))
    .digest('hex')
    .slice(0, 16)

const versioned = [
  'beneficiary_id',
  'reference_id',
  'copy_id',
  'start_date',
  'end_date',
  'site',
  'comment',
  'cycle_value',
  'status',
] as const

/** Null where there is none, or where its site is closed to the caller. */
export async function findReservation(
  db: Db | Trx,
  id: number,
  exchange: Asking,
): Promise<Reservation | null> {
  const [found] = await readReservations(db, [id], exchange)
  return found && (found.site === null || isSiteOpen(exchange.visibility, found.site)) ? found : null
}

export async function getReservation(db: Db | Trx, id: number, exchange: Asking): Promise<Reservation> {
  const [found] = await readReservations(db, [id], exchange)
  if (!found) throw new Error(`reservation ${id} is gone`)
  return found
}

/** How many of the queue a copy could serve; null where it is out of sight. */
export async function countWaitingFor(db: Db, copy: number, visibility: Visibility): Promise<number | null> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from reservations v where v.reference_id = c.reference
        and v.queue_position is not null and coalesce(v.copy_id, c.id) = c.id) as count
    from copies c where c.id = ${copy} and c.deleted_at is null
      and ${atSites(sql`c.site`, visibility.open)}`.execute(db)
  return rows[0]?.count ?? null
}
