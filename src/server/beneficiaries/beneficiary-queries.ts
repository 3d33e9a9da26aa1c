import { type RawBuilder, sql } from 'kysely'

import type { Beneficiary, BeneficiaryChoice } from '../../contract/beneficiaries.ts'
import { type Collection, collection, type Filter, type ListQuery } from '../../contract/list.ts'
import type { Db, Trx } from '../db/handles.ts'
import { amongIds, everyWord, type FilterColumn, foldedNames, onDay, whereOf } from '../db/lists/list-sql.ts'
import { everyId, type LongList, type LongOrder, readIds, type ReadInTurn } from '../db/lists/read-list.ts'
import type { Exchange } from '../http/exchange.ts'
import { relativeName } from '../library-facts/person-names.ts'
import { beneficiariesByName, sitesByName } from '../library-facts/rankings.ts'
import type { Caller } from '../visibility/caller.ts'
import { areAllReadersOpen, isReaderOpen, type Visibility, visibleReaders } from '../visibility/visibility.ts'

/** `matricule - lastname firstname`, with a reader number if any. */
export function beneficiaryLabel({
  matricule,
  lastname,
  firstname,
  reader_id,
}: Pick<BeneficiaryRow, 'matricule' | 'lastname' | 'firstname' | 'reader_id'>): string {
  const name = `${matricule} - ${lastname} ${firstname}`.trimEnd()
  return reader_id === null ? name : `${name} - ${reader_id}`
}

// Libraries name additional fields as they like, so contacts and addresses are recognised by their words.
const contactNames = /mail|courriel|electronique|\btel\b|phone|mobile|portable/
const addressNames = /adresse|address|postal|ville|city|commune/

/** A beneficiary without the fields that the caller has no right to. */
export function serializeBeneficiary(row: BeneficiaryRow, { rights }: Pick<Caller, 'rights'>): Beneficiary {
  const { email, phone, address, commune, ...open } = row
  const mayContact = rights.has('BENEFICIARY_CONTACT')
  const mayAddress = rights.has('BENEFICIARY_ADDRESS')
  return {
    '@id': `/api/beneficiaries/${row.id}`,
    '@type': 'Beneficiary',
    ...open,
    label: beneficiaryLabel(row),
    displayed: row.displayed.filter(({ name }) => {
      const folded = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
      if (contactNames.test(folded)) return mayContact
      return mayAddress || !addressNames.test(folded)
    }),
    ...(mayContact ? { email, phone } : {}),
    ...(mayAddress ? { address, commune } : {}),
  }
}

/** A beneficiary before the caller's rights decide what is told. */
export type BeneficiaryRow = Omit<
  Beneficiary,
  '@id' | '@type' | 'label' | 'email' | 'phone' | 'address' | 'commune'
> & {
  email: string | null
  phone: string | null
  address: string | null
  commune: string | null
}

const isActive = (today: string) => sql`(b.exit_date is null or b.exit_date > ${today}::date)`

/** Matches the reader or, with `relative_search`, a relative: two index scans beat one `or`. */
function matches(search: Filter['value'], { parameters }: Pick<Exchange, 'parameters'>): RawBuilder<unknown> {
  const own = everyWord(sql`b.search`, search)
  if (!parameters.flag('relative_search')) return own
  return sql`b.id in (
    select b.id from beneficiaries b where ${own}
    union all
    select rel.beneficiary from relatives rel where rel.deleted_at is null and ${everyWord(sql`rel.search`, search)})`
}

/** The relative through whom `relative_search` finds a reader b who is not found by their own name. */
function foundRelative(search: Filter['value'] | undefined, { parameters }: Pick<Exchange, 'parameters'>) {
  if (search === undefined || !parameters.flag('relative_search')) return sql`null::int`
  return sql`case when ${everyWord(sql`b.search`, search)} then null else (
    select rel.id from relatives rel
    where rel.beneficiary = b.id and rel.deleted_at is null and ${everyWord(sql`rel.search`, search)}
    order by rel.firstname, rel.id limit 1) end`
}

const filterColumns = (exchange: Exchange): Record<string, FilterColumn> => ({
  id: { column: sql`b.id` },
  searchname: { test: ({ value }) => matches(value, exchange) },
  lastname: { column: sql`b.lastname`, within: sql`b.search` },
  firstname: { column: sql`b.firstname`, within: sql`b.search`, foldedAs: sql`b.sort_firstname` },
  matricule: { column: sql`b.matricule`, within: sql`b.search`, isIndexed: true },
  reader_id: { column: sql`b.reader_id`, within: sql`b.search`, isIndexed: true },
  contract_type: { column: sql`b.contract_type`, foldedAs: sql`b.sort_contract` },
  contract: {
    test: ({ operator, value }) =>
      operator === 'nil'
        ? sql`(b.contract_type is null) = ${value}`
        : sql`b.contract_type = any(array(
            select e.name from eligibility_values e
            where e.kind = 'CONTRACT' and e.id = any(${[value].flat()}::int[])))`,
  },
  agency: { column: sql`b.agency_id` },
  exit_date: { column: sql`b.exit_date` },
  created_at: { test: onDay(sql`b.created_at`, exchange.parameters.get('timezone')) },
  is_active: {
    test: ({ value }) => (value ? isActive(exchange.today) : sql`not ${isActive(exchange.today)}`),
  },
})

const ranked = (by: string) => ({ of: sql`b.id`, ranked: { table: sql`beneficiaries`, by: sql.ref(by) } })

const orderColumns: Record<string, LongOrder> = {
  // The sort name begins with folded names: Émile stands between Dupont and Zola.
  lastname: { sorts: sql`b.sort_name`, number: { of: sql`b.id`, ranked: beneficiariesByName } },
  firstname: { sorts: sql`b.sort_firstname`, number: ranked('sort_firstname') },
  matricule: { sorts: sql`b.matricule`, number: ranked('matricule') },
  contract_type: { sorts: sql`b.sort_contract`, number: ranked('sort_contract') },
  agency: {
    sorts: { nullable: sql`sorted_agency.name` },
    number: { of: sql`b.agency_id`, ranked: sitesByName },
  },
  exit_date: { sorts: { nullable: sql`b.exit_date` }, number: sql`(b.exit_date - date '2000-01-01')` },
  id: { sorts: sql`b.id`, number: sql`b.id` },
}

const fromFor = (order: readonly { field: string }[]): RawBuilder<unknown> =>
  order.some(({ field }) => field === 'agency')
    ? sql`beneficiaries b left join ${foldedNames(sql`sites`)} sorted_agency on sorted_agency.id = b.agency_id`
    : sql`beneficiaries b`

export async function listBeneficiaries(
  db: Db,
  list: ListQuery,
  exchange: Exchange,
): Promise<Collection<BeneficiaryRow>> {
  const { ids, total } = await readIds(db, list, readersFound(list, exchange))
  return collection(
    await readBeneficiaries(db, ids, exchange.today, foundRelative(searchOf(list), exchange)),
    total,
  )
}

const searchOf = ({ filters }: ListQuery) => filters.find(({ field }) => field === 'searchname')?.value

export async function countBeneficiaries(db: Db, list: ListQuery, exchange: Exchange): Promise<number> {
  const { total } = await readIds(db, { ...list, page: 1, limit: 1 }, readersFound(list, exchange))
  return total
}

export async function* everyBeneficiary(
  reads: ReadInTurn,
  list: ListQuery,
  exchange: Exchange,
): AsyncGenerator<BeneficiaryRow[]> {
  for await (const ids of everyId(reads, list, readersFound(list, exchange))) {
    yield await reads((db) => readBeneficiaries(db, ids, exchange.today))
  }
}

const readersFound = (list: ListQuery, exchange: Exchange): LongList => ({
  table: sql`beneficiaries`,
  id: sql`b.id`,
  from: (_, order) => fromFor(order),
  where: sql`b.deleted_at is null
    and ${whereOf(visibleReaders(exchange.visibility), list.filters, filterColumns(exchange))}`,
  orders: orderColumns,
})

/** Of any site, unlike `findVisibleBeneficiary`, which calls answer from. */
async function findBeneficiary(db: Db | Trx, id: number, today: string): Promise<BeneficiaryRow | null> {
  const [row] = await readBeneficiaries(db, [id], today)
  return row ?? null
}

/** Those that are not deleted, of any site. */
export const beneficiariesByIds = (db: Db | Trx, ids: number[], today: string): Promise<BeneficiaryRow[]> =>
  readBeneficiaries(db, ids, today)

/** A beneficiary that is not deleted, and whose agency is open to a caller of a library by site. */
export async function findVisibleBeneficiary(
  db: Db | Trx,
  id: number,
  { today, visibility }: Exchange,
): Promise<BeneficiaryRow | null> {
  const row = await findBeneficiary(db, id, today)
  return row && isReaderOpen(visibility, row.agency_id) ? row : null
}

/** Whether the caller may name a beneficiary, even a deleted one; one that never was hides nothing. */
export async function isReaderVisible(db: Db | Trx, id: number, visibility: Visibility): Promise<boolean> {
  if (areAllReadersOpen(visibility)) return true
  const reader = await db
    .selectFrom('beneficiaries')
    .select('agency_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return reader === undefined || isReaderOpen(visibility, reader.agency_id)
}

const relativesOf = sql`
  coalesce((
    select json_agg(json_build_object(
      '@id', '/api/relatives/' || rel.id, '@type', 'Relative', 'id', rel.id, 'name', ${relativeName},
      'text', ${relativeName}, 'reader_id', rel.reader_id)
      order by rel.firstname, rel.id)
    from relatives rel where rel.beneficiary = b.id and rel.deleted_at is null), '[]')`

async function readBeneficiaries(
  db: Db | Trx,
  ids: number[],
  today: string,
  subId: RawBuilder<unknown> = sql`null::int`,
): Promise<BeneficiaryRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BeneficiaryRow>`
    select b.id, b.matricule, b.lastname, b.firstname, b.contract_type, b.beneficiary_status, b.dossiers,
      s.name as agency, b.agency_id, b.exit_date, ${isActive(today)} as is_active, b.reader_id,
      ${relativesOf} as relatives, ${subId} as sub_id, b.wallet_amount, b.message, coalesce(b.email::text, '') <> '' as has_contact_email,
      loans.open_loans, loans.late_loans, b.displayed, b.email::text as email, b.phone, b.address, b.commune,
      b.kind, b.birth_year, b.changed_xid::text as version
    from beneficiaries b
    left join sites s on s.id = b.agency_id
    cross join lateral (
      select count(*) as open_loans, count(*) filter (where l.end_date < ${today}::date) as late_loans
      from loanings l where l.beneficiary = b.id and l.status = 'in_progress') loans
    where ${amongIds(sql`b.id`, ids)} and b.deleted_at is null
    ${ids.length > 1 ? sql`order by array_position(${ids}::int[], b.id)` : sql``}`.execute(db)
  return rows
}

type ChoiceRow = Omit<BeneficiaryChoice, '@id' | '@type' | 'label'>

/** One page of matching beneficiaries, active ones unless asked; an exact number stands first. */
export async function autocompleteBeneficiaries(
  db: Db,
  { page, limit }: ListQuery,
  { searchname, with_inactive }: { searchname: string; with_inactive: boolean },
  exchange: Exchange,
): Promise<Collection<ChoiceRow>> {
  const exact = exchange.parameters.flag('relative_search')
    ? sql`(${searchname} in (b.matricule, b.reader_id) or exists (
        select from relatives rel
        where rel.beneficiary = b.id and rel.reader_id = ${searchname} and rel.deleted_at is null))`
    : sql`${searchname} in (b.matricule, b.reader_id)`
  const { rows } = await sql<ChoiceRow & { total: number }>`
    with found as (
      select b.id, count(*) over () as total, coalesce(${exact}, false) as exact, b.search
      from beneficiaries b
      where b.deleted_at is null and ${visibleReaders(exchange.visibility)} and ${matches(searchname, exchange)}
        and ${with_inactive ? sql`true` : isActive(exchange.today)}
      order by exact desc, search, id
      limit ${limit} offset ${(page - 1) * limit})
    select b.id, b.matricule, b.lastname, b.firstname, b.birth_year, b.reader_id,
      ${isActive(exchange.today)} as is_active, ${relativesOf} as relatives, ${foundRelative(searchname, exchange)} as sub_id, found.total
    from found join beneficiaries b on b.id = found.id
    order by found.exact desc, found.search, found.id`.execute(db)
  return collection(
    rows.map(({ total: _total, ...choice }) => choice),
    rows[0]?.total ?? 0,
  )
}
