import { type RawBuilder, sql } from 'kysely'

import type { Copy } from '../../contract/catalogue.ts'
import type { Collection, Filter, ListQuery } from '../../contract/list.ts'
import { copyStates } from '../../domain/loan-rules.ts'
import type { Db } from '../db/environment.ts'
import { atSites, everyWord, type FilterColumn, type OrderColumn, pageOf, whereOf } from '../db/list-sql.ts'
import type { Caller, Exchange } from '../http/exchange.ts'

/** Title and author by words in any order, or any part of the bar code. Two index scans beat one `or`. */
function matches(search: Filter['value']): RawBuilder<unknown> {
  const byTitle = sql`select f.id from copies f join "references" fr on fr.id = f.reference where ${everyWord(sql`fr.search`, search)}`
  const typed = String(search).trim()
  if (!/^\S*\d\S*$/.test(typed)) return sql`c.id in (${byTitle})`
  return sql`c.id in (${byTitle} union all select f.id from copies f where ${everyWord(sql`lower(f.bar_code)`, typed)})`
}

const filterColumns: Record<string, FilterColumn> = {
  id: { column: sql`c.id` },
  searchname: { test: ({ value }) => matches(value) },
  bar_code: { column: sql`c.bar_code` },
  'status.name': { column: sql`c.status` },
  site: { column: sql`c.site` },
  reference: { column: sql`c.reference` },
  medium: { column: sql`r.medium` },
  category: { column: sql`r.category` },
  type: { column: sql`c.type` },
}

const orderColumns: Record<string, OrderColumn> = {
  bar_code: sql`c.bar_code`,
  // Begins with the folded name.
  name: sql`r.search`,
  site: sql`(select search_text(s.name) from sites s where s.id = c.site)`,
  'status.name': sql`c.status`,
  buy_date: { nullable: sql`c.buy_date` },
  id: sql`c.id`,
}

/** Who asks for copies, and the sites whose copies they see (null: every site). */
export type CopyReader = Pick<Exchange, 'sites' | 'caller'>

/** Neither counting nor paging needs the reference when no filter or order looks at it. */
function fromOf(list: Pick<ListQuery, 'filters' | 'order'>): RawBuilder<unknown> {
  const ofReference = ['medium', 'category', 'name']
  const isNeeded = [...list.filters, ...list.order].some(({ field }) => ofReference.includes(field))
  return isNeeded ? sql`copies c join "references" r on r.id = c.reference` : sql`copies c`
}

/** One page of the copies of the caller's sites. */
export async function listCopies(
  db: Db,
  list: ListQuery,
  { sites, caller }: CopyReader,
): Promise<Collection<Copy>> {
  const where = sql`c.deleted_at is null
    and ${atSites(sql`c.site`, sites)}
    and ${whereOf(list.filters, filterColumns)}`
  const [page, total] = await Promise.all([
    sql<{
      id: number
    }>`select c.id from ${fromOf(list)} where ${where} ${pageOf(list, orderColumns, sql`c.id`)}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from ${fromOf({ filters: list.filters, order: [] })} where ${where}`.execute(
      db,
    ),
  ])
  const ids = page.rows.map(({ id }) => id)
  return { 'hydra:member': await readCopies(db, ids, caller), 'hydra:totalItems': total.rows[0]?.total ?? 0 }
}

/** The copies of some references at the caller's sites, by bar code. */
export async function copiesOfReferences(
  db: Db,
  references: number[],
  { sites, caller }: CopyReader,
): Promise<Copy[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from copies c
    where c.reference = any(${references}::int[]) and c.deleted_at is null
      and ${atSites(sql`c.site`, sites)}
    order by c.bar_code`.execute(db)
  return readCopies(
    db,
    rows.map(({ id }) => id),
    caller,
  )
}

/** Who has a copy and who waits for it are named to those who may list readers or loans. */
const mayName = ({ rights }: Pick<Caller, 'rights'>) =>
  rights.has('LIST_BENEFICIARIES') || rights.has('LIST_LOANINGS')

type CopyRow = Omit<Copy, '@id' | '@type' | 'state_name' | 'status' | 'is_unavailable'>

/**
 * Copies in the order of their ids, each with its open loan and those who wait for it. What other tables only name is looked up row by
 * row: joined, they cost the planner more time than the rows take.
 */
async function readCopies(db: Db, ids: number[], caller: CopyReader['caller']): Promise<Copy[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CopyRow>`
    select c.id, c.bar_code, r.name, c.reference, c.state, c.status as status_name, c.site,
      (select s.name from sites s where s.id = c.site) as site_name,
      (select loc.label from locations loc where loc.id = c.location) as location, c.buy_date, c.cycle_type, c.cycle_value, coalesce(c.price, r.price) as price, c.type,
      (select json_build_object('id', cat.id, 'name', cat.name) from categories cat where cat.id = r.category) as category,
      (select json_build_object('id', m.id, 'name', m.name) from media m where m.id = r.medium) as medium,
      coalesce((
        select json_agg(json_build_object(
          'id', v.id, 'beneficiary_id', v.beneficiary_id,
          'beneficiary_info', b.matricule || ' - ' || b.lastname || ' ' || b.firstname,
          'start_date', v.start_date, 'end_date', v.end_date, 'queue_position', v.queue_position
        ) order by v.start_date nulls first, v.queue_position nulls last, v.id)
        from reservations v join beneficiaries b on b.id = v.beneficiary_id
        where v.reference_id = c.reference and (v.copy_id is null or v.copy_id = c.id)
          and v.status in ('waiting', 'confirmed') and v.deleted_at is null and v.fulfilled_by is null
      ), '[]') as reservations,
      (
        select json_build_object(
          'id', l.id, 'beneficiary', l.beneficiary,
          'beneficiary_info', b.matricule || ' - ' || b.lastname || ' ' || b.firstname, 'end_date', l.end_date)
        from loanings l join beneficiaries b on b.id = l.beneficiary
        where l.copy = c.id and l.status = 'in_progress'
      ) as loaning
    from copies c
    join "references" r on r.id = c.reference
    where c.id = any(${ids}::int[])
    order by array_position(${ids}::int[], c.id)`.execute(db)
  return rows.map((row) => ({
    '@id': `/api/copies/${row.id}`,
    '@type': 'Copy',
    ...row,
    ...(mayName(caller) ? {} : namelessOf(row)),
    state_name: copyStates[row.state],
    status: { name: row.status_name },
    is_unavailable: row.status_name === 'Non Disponible',
  }))
}

function namelessOf({ reservations, loaning }: CopyRow): Pick<CopyRow, 'reservations' | 'loaning'> {
  const unnamed = <T extends { beneficiary_info?: string | undefined }>({
    beneficiary_info: _name,
    ...rest
  }: T) => rest
  return { reservations: reservations.map(unnamed), loaning: loaning && unnamed(loaning) }
}
