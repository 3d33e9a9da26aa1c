import { type RawBuilder, sql } from 'kysely'

import { collection, type Collection, type Filter, type ListQuery } from '../../contract/list.ts'
import type { Sale } from '../../contract/sales.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, whereOf } from '../db/lists/list-sql.ts'
import { everyId, type LongList, type LongOrder, readIds, type ReadInTurn } from '../db/lists/read-list.ts'
import { accountName, readerInfo, readerName, relativeName } from '../library-facts/person-names.ts'
import {
  beneficiariesByName,
  categoriesByName,
  copiesByReference,
  referencesBy,
  referencesByName,
} from '../library-facts/rankings.ts'
import { titlesMatching } from '../library-facts/title-search.ts'
import {
  areAllReadersOpen,
  isReaderOpen,
  isSiteOpen,
  readerElsewhere,
  readerOpen,
  visibleSales,
  type Visibility,
} from '../visibility/visibility.ts'

/** A sale as it is kept; it is no answer before it is decided what may be told of its reader. */
type StoredSale = Omit<Sale, '@id' | '@type'> & { agency_id: number | null }

export function serializeSale(visibility: Visibility, { agency_id, ...sale }: StoredSale): Sale {
  const named = { '@id': `/api/sales/${sale.id}`, '@type': 'Sale', ...sale } as const
  return sale.beneficiary === null || isReaderOpen(visibility, agency_id)
    ? named
    : { ...named, beneficiary_info: readerElsewhere, beneficiary_name: readerElsewhere, relative: null }
}

// The tables that filters and orders look at, each after those it joins.
const joins = [
  {
    join: sql`join copies c on c.id = s.copy`,
    for: ['copysearchname', 'reference', 'reference_name', 'category', 'medium'],
  },
  {
    join: sql`join "references" r on r.id = c.reference`,
    for: ['copysearchname', 'reference_name', 'category', 'medium'],
  },
  { join: sql`left join categories cat on cat.id = r.category`, for: ['category'] },
  {
    join: sql`left join beneficiaries b on b.id = s.beneficiary`,
    for: ['benefsearchname', 'beneficiary_lastname'],
  },
]

function fromFor(terms: readonly { field: string }[]): RawBuilder<unknown> {
  const needed = joins.filter((one) => terms.some(({ field }) => one.for.includes(field)))
  return sql.join([sql`sales s`, ...needed.map(({ join }) => join)], sql` `)
}

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`s.id` },
  benefsearchname: { test: ({ value }) => everyWord(sql`b.search`, value) },
  // By title and author, or by a part of the bar code, as copies are searched.
  copysearchname: {
    test: ({ value }) =>
      sql`(${titlesMatching(sql`r.search`, value)} or ${everyWord(sql`lower(c.bar_code)`, value)})`,
  },
  date: { column: sql`s.date` },
  beneficiary: { column: sql`s.beneficiary` },
  reference: { column: sql`c.reference` },
  copy: { column: sql`s.copy` },
  category: { column: sql`r.category` },
  medium: { column: sql`r.medium` },
  site: { column: sql`s.site` },
}

const ordersFor = (visibility: Visibility): Record<string, LongOrder> => ({
  id: { sorts: sql`s.id`, number: sql`s.id` },
  date: { sorts: sql`s.date`, number: sql`(s.date - date '2000-01-01')` },
  // Unnamed readers come last, because their place would tell the name.
  beneficiary_lastname: {
    sorts: { nullable: sql`case when ${readerOpen(visibility)} then b.sort_name end` },
    number: {
      of: sql`(select b.id from beneficiaries b where b.id = s.beneficiary and ${readerOpen(visibility)})`,
      ranked: beneficiariesByName,
    },
  },
  reference_name: {
    sorts: sql`r.sort_name`,
    number: { of: sql`s.copy`, ranked: copiesByReference(referencesByName) },
  },
  category: {
    sorts: { nullable: sql`cat.name` },
    number: { of: sql`s.copy`, ranked: copiesByReference(referencesBy('category', categoriesByName)) },
  },
  price: { sorts: sql`s.price`, number: sql`(s.price * 100)` },
})

/** A filter by person finds only readers in sight, because it would tell whose the unnamed sales are. */
const findsReader = ({ field }: Filter) => field === 'beneficiary' || field === 'benefsearchname'

function foundIn(filters: readonly Filter[], visibility: Visibility): RawBuilder<unknown> {
  const where = sql`s.deleted_at is null and ${whereOf(visibleSales(visibility), filters, filterColumns)}`
  if (!filters.some(findsReader) || areAllReadersOpen(visibility)) return where
  return sql`${where} and exists (select from beneficiaries b where b.id = s.beneficiary and ${readerOpen(visibility)})`
}

const salesFound = (list: ListQuery, visibility: Visibility): LongList => ({
  table: sql`sales`,
  id: sql`s.id`,
  from: (filters, order) => fromFor([...filters, ...order]),
  where: foundIn(list.filters, visibility),
  orders: ordersFor(visibility),
})

export async function listSales(
  db: Db,
  list: ListQuery,
  visibility: Visibility,
): Promise<Collection<StoredSale>> {
  const { ids, total } = await readIds(db, list, salesFound(list, visibility))
  return collection(await readSales(db, ids), total)
}

export async function* everySale(
  reads: ReadInTurn,
  list: ListQuery,
  visibility: Visibility,
): AsyncGenerator<StoredSale[]> {
  for await (const ids of everyId(reads, list, salesFound(list, visibility))) {
    yield await reads((db) => readSales(db, ids))
  }
}

type SaleRow = Omit<StoredSale, 'relative' | 'free_reason'> & {
  relative_id: number | null
  relative_name: string | null
  free_reason_id: number | null
  free_reason_name: string | null
}

/** Sales that are not deleted, in the order of their ids. */
async function readSales(db: Db | Trx, ids: number[]): Promise<StoredSale[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<SaleRow>`
    select s.id, s.beneficiary, coalesce(${readerInfo}, '') as beneficiary_info, coalesce(${readerName}, '') as beneficiary_name, b.agency_id,
      s.relative as relative_id, (select ${relativeName} from relatives rel where rel.id = s.relative) as relative_name,
      s.copy, c.bar_code as copy_barcode, c.reference, r.name as reference_name,
      (select cat.name from categories cat where cat.id = r.category) as category,
      (select m.name from media m where m.id = r.medium) as medium,
      s.site, (select st.name from sites st where st.id = s.site) as site_name, s.date, s.price, s.free,
      s.free_reason as free_reason_id, (select fr.name from reasons fr where fr.id = s.free_reason) as free_reason_name,
      s.comment, s.sold_at, (select ${accountName('seller')} from users seller where seller.id = s.sold_by) as sold_by
    from sales s join copies c on c.id = s.copy join "references" r on r.id = c.reference
      left join beneficiaries b on b.id = s.beneficiary
    where s.id = any(${ids}::int[]) and s.deleted_at is null
    order by array_position(${ids}::int[], s.id)`.execute(db)
  return rows.map(({ relative_id, relative_name, free_reason_id, free_reason_name, ...sale }) => ({
    ...sale,
    relative: relative_id === null ? null : { id: relative_id, name: relative_name ?? '' },
    free_reason: free_reason_id === null ? null : { id: free_reason_id, name: free_reason_name ?? '' },
  }))
}

export async function findVisibleSale(
  db: Db | Trx,
  id: number,
  visibility: Visibility,
): Promise<StoredSale | null> {
  const [sale] = await readSales(db, [id])
  return sale && isSiteOpen(visibility, sale.site) ? sale : null
}

export async function getSale(trx: Trx, id: number): Promise<StoredSale> {
  const [sale] = await readSales(trx, [id])
  if (!sale) throw new Error(`sale ${id} is gone`)
  return sale
}
