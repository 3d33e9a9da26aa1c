import { type RawBuilder, sql } from 'kysely'

import { type Copy, copyList } from '../../contract/catalogue.ts'
import { collection, type Collection, type Filter, isLookUp, type ListQuery } from '../../contract/list.ts'
import { copyStates } from '../../domain/loan-rules.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import type { Db, Trx } from '../db/handles.ts'
import { everyWord, type FilterColumn, foldedNames, whereOf } from '../db/lists/list-sql.ts'
import {
  everyId,
  type LongList,
  type LongOrder,
  readFew,
  type ReadInTurn,
  readIds,
} from '../db/lists/read-list.ts'
import { capacityOfTitle, isActive } from '../library-facts/active-reservation.ts'
import { coverPath } from '../library-facts/cover-path.ts'
import { copiesByBarCode, referencesByName, sitesByName } from '../library-facts/rankings.ts'
import { titlesMatching } from '../library-facts/title-search.ts'
import {
  visibleCopies,
  visibleOrSentCopies,
  loanOpen,
  readerElsewhere,
  readerInfoWhere,
  readerNameWhere,
  readerOpen,
  reservationOpen,
  type Visibility,
} from '../visibility/visibility.ts'

/**
 * Matches title and author, or a part of the bar code: two index scans beat one `or`. Arrays are found first, because the
 * planner, which takes every title for a match, else walked through two million copies for one that is not there.
 */
export function copiesMatching(search: Filter['value']): RawBuilder<unknown> {
  const byTitle = sql`select f.id from copies f where f.reference = any(array(
    select fr.id from "references" fr where ${titlesMatching(sql`fr.search`, search)}))`
  const typed = String(search).trim()
  if (!/^\S*\d\S*$/.test(typed)) return sql`c.id = any(array(${byTitle}))`
  return sql`c.id = any(array(${byTitle}
    union all select f.id from copies f where ${everyWord(sql`lower(f.bar_code)`, typed)}))`
}

/** The library's day, of copies on their way alone. */
const daySent = sql`case when c.sent_at is not null then (c.sent_at at time zone coalesce(
  (select nullif(p.value, '') from parameters p where p.code = 'timezone'), 'Europe/Paris'))::date end`

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`c.id` },
  searchname: { test: ({ value }) => copiesMatching(value) },
  bar_code: { column: sql`c.bar_code` },
  'status.name': { column: sql`c.status` },
  state: { column: sql`c.state` },
  location: { column: sql`c.location` },
  buy_date: { column: sql`c.buy_date` },
  site: { column: sql`c.site` },
  sent_from: { column: sql`c.sent_from` },
  date: { column: daySent },
  reference: { column: sql`c.reference` },
  medium: { column: sql`r.medium` },
  category: { column: sql`r.category` },
  type: { column: sql`c.type` },
}

const orderColumns: Record<string, LongOrder> = {
  bar_code: { sorts: sql`c.bar_code`, number: { of: sql`c.id`, ranked: copiesByBarCode } },
  name: { sorts: sql`r.sort_name`, number: { of: sql`c.reference`, ranked: referencesByName } },
  site: { sorts: sql`sorted_site.name`, number: { of: sql`c.site`, ranked: sitesByName } },
  'status.name': {
    sorts: sql`c.status`,
    number: sql`array_position(array['Disponible', 'En Location', 'En transfert', 'Non Disponible'], c.status)`,
  },
  buy_date: { sorts: { nullable: sql`c.buy_date` }, number: sql`(c.buy_date - date '2000-01-01')` },
  sent_from: {
    sorts: { nullable: sql`sending_site.name` },
    number: { of: sql`c.sent_from`, ranked: sitesByName },
  },
  date: {
    sorts: { nullable: sql`c.sent_at` },
    number: sql`(extract(epoch from c.sent_at) * 1000000)`,
  },
  id: { sorts: sql`c.id`, number: sql`c.id` },
}

const ofReference = ['medium', 'category', 'name']

/** Joins the reference and the site only where a filter or an order looks at them. */
function fromOf(
  filters: readonly { field: string }[],
  order: readonly { field: string }[],
): RawBuilder<unknown> {
  const isReferenceNeeded = [...filters, ...order].some(({ field }) => ofReference.includes(field))
  const isSiteNeeded = order.some(({ field }) => field === 'site')
  const isSenderNeeded = order.some(({ field }) => field === 'sent_from')
  return sql.join(
    [
      sql`copies c`,
      ...(isReferenceNeeded ? [sql`join "references" r on r.id = c.reference`] : []),
      ...(isSiteNeeded
        ? [sql`left join ${foldedNames(sql`sites`)} sorted_site on sorted_site.id = c.site`]
        : []),
      ...(isSenderNeeded
        ? [sql`left join ${foldedNames(sql`sites`)} sending_site on sending_site.id = c.sent_from`]
        : []),
    ],
    sql` `,
  )
}

/** Who asks by the sender sees what left their sites too: it is of its destination from then on. */
const seenBy = ({ filters }: ListQuery, visibility: Visibility) =>
  filters.some(({ field }) => field === 'sent_from')
    ? visibleOrSentCopies(visibility)
    : visibleCopies(visibility)

const copiesFound = (list: ListQuery, visibility: Visibility): LongList => ({
  table: sql`copies`,
  id: sql`c.id`,
  from: fromOf,
  where: sql`c.deleted_at is null and ${whereOf(seenBy(list, visibility), list.filters, filterColumns)}`,
  orders: orderColumns,
})

/** All copies of a list, in its order. */
export async function* everyCopy(
  reads: ReadInTurn,
  list: ListQuery,
  visibility: Visibility,
): AsyncGenerator<Copy[]> {
  for await (const ids of everyId(reads, list, copiesFound(list, visibility))) {
    yield await reads((db) => copiesByIds(db, ids, visibility))
  }
}

export async function listCopies(db: Db, list: ListQuery, visibility: Visibility): Promise<Collection<Copy>> {
  const long = copiesFound(list, visibility)
  if (list.page === 1 && isLookUp(list, copyList)) {
    return readFew(db, list, long, (ids) => readCopies(db, ids, visibility))
  }
  const { ids, total } = await readIds(db, list, long)
  return collection(await copiesByIds(db, ids, visibility), total)
}

/** A copy that is not withdrawn, of any site. */
export async function findCopy(db: Db | Trx, id: number, visibility: Visibility): Promise<Copy | null> {
  const { rows } = await sql`select from copies where id = ${id} and deleted_at is null`.execute(db)
  if (rows.length === 0) return null
  const [copy] = await copiesByIds(db, [id], visibility)
  return copy ?? null
}

export async function getCopy(db: Db | Trx, id: number, visibility: Visibility): Promise<Copy> {
  const copy = await findCopy(db, id, visibility)
  if (!copy) throw new Error(`copy ${id} is gone`)
  return copy
}

const idsOfReferences = (references: number[], visibility: Visibility) => sql`array(
  select c.id from copies c
  where c.reference = any(${references}::int[]) and c.deleted_at is null and ${visibleCopies(visibility)}
  order by c.bar_code)`

export const copiesOfReferences = (db: Db, references: number[], visibility: Visibility): Promise<Copy[]> =>
  readCopies(db, idsOfReferences(references, visibility), visibility)

/** The same, asked with the transaction's next statement. */
export async function copiesOfReferenceAhead(trx: Trx, reference: number, visibility: Visibility) {
  const { answer } = await ahead(trx, selectCopies(idsOfReferences([reference], visibility), visibility))
  return { copies: async () => copiesOf((await answer()).rows, visibility) }
}

/** Who may list readers or loans may know who has or awaits a copy. */
const mayName = ({ rights }: Visibility) => rights.has('LIST_BENEFICIARIES') || rights.has('LIST_LOANINGS')

type CopyRow = Omit<Copy, '@id' | '@type' | 'state_name' | 'status' | 'is_unavailable'>

/** In the order of the ids. */
export const copiesByIds = async (db: Db | Trx, ids: number[], visibility: Visibility): Promise<Copy[]> =>
  ids.length === 0 ? [] : readCopies(db, sql`${ids}::int[]`, visibility)

async function readCopies(db: Db | Trx, ids: RawBuilder<unknown>, visibility: Visibility): Promise<Copy[]> {
  const { rows } = await selectCopies(ids, visibility).execute(db)
  return copiesOf(rows, visibility)
}

/** Copies in the order of their ids; names are looked up row by row, because planning joins costs more. */
const selectCopies = (ids: RawBuilder<unknown>, visibility: Visibility) => sql<CopyRow>`
    select c.id, c.bar_code, r.name, c.reference, c.state, c.status as status_name, c.site,
      (select s.name from sites s where s.id = c.site) as site_name,
      (select json_build_object('id', loc.id, 'label', loc.label) from locations loc where loc.id = c.location) as location,
      (select loc.label from locations loc where loc.id = c.location) as location_label, c.buy_date, c.cycle_type, c.cycle_value, coalesce(c.price, r.price) as price, c.price as own_price, c.type,
      (select json_build_object('id', s.id, 'name', s.name) from sites s where s.id = c.sent_from) as sent_from, ${daySent} as date,
      case when c.withdrawn_on is not null then (select s.date from sales s where s.copy = c.id and s.deleted_at is null) end as sold_on,
      (select json_build_object('id', cat.id, 'name', cat.name) from categories cat where cat.id = r.category) as category,
      (select json_build_object('id', m.id, 'name', m.name) from media m where m.id = r.medium) as medium, ${coverPath} as image_path,
      coalesce((
        select json_agg(json_build_object(
          'id', v.id, 'beneficiary_id', v.beneficiary_id,
          'beneficiary_info', ${readerInfoWhere(reservationOpen(visibility))},
          'beneficiary_name', ${readerNameWhere(reservationOpen(visibility))},
          'copy_id', v.copy_id, 'set_aside_copy', v.set_aside_copy,
          'start_date', v.start_date, 'end_date', v.end_date, 'queue_position', v.queue_position
        ) order by v.start_date nulls first, v.queue_position nulls first, v.id)
        from reservations v join beneficiaries b on b.id = v.beneficiary_id
        where v.reference_id = c.reference and ${isActive}
      ), '[]') as reservations,
      ${capacityOfTitle} as capacity,
      (
        select case
          when ${loanOpen(visibility)} then json_build_object(
            'id', l.id, 'beneficiary', l.beneficiary,
            'beneficiary_info', ${readerInfoWhere(readerOpen(visibility))},
            'beneficiary_name', ${readerNameWhere(readerOpen(visibility))}, 'end_date', l.end_date)
          else json_build_object('id', l.id, 'beneficiary_info', ${readerElsewhere}::text,
            'beneficiary_name', ${readerElsewhere}::text, 'end_date', l.end_date) end
        from loanings l join beneficiaries b on b.id = l.beneficiary
        where l.copy = c.id and l.status = 'in_progress'
      ) as loaning
    from (select ${ids} as ids offset 0) listed
    join copies c on c.id = any(listed.ids)
    join "references" r on r.id = c.reference
    order by array_position(listed.ids, c.id)`

const copiesOf = (rows: readonly CopyRow[], visibility: Visibility): Copy[] =>
  rows.map((row) => ({
    '@id': `/api/copies/${row.id}`,
    '@type': 'Copy',
    ...row,
    ...(mayName(visibility) ? {} : namelessOf(row)),
    state_name: copyStates[row.state],
    status: { name: row.status_name },
    is_unavailable: row.status_name === 'Non Disponible',
  }))

function namelessOf({ reservations, loaning }: CopyRow): Pick<CopyRow, 'reservations' | 'loaning'> {
  const unnamed = <
    T extends { beneficiary_info?: string | undefined; beneficiary_name?: string | undefined },
  >({
    beneficiary_info: _info,
    beneficiary_name: _name,
    ...rest
  }: T) => rest
  return { reservations: reservations.map(unnamed), loaning: loaning && unnamed(loaning) }
}
