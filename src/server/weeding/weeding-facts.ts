import { type RawBuilder, sql } from 'kysely'

import type { Collection, ListQuery } from '../../contract/list.ts'
import { type ExaminedCopy, type Weeding, weedings } from '../../contract/weeding.ts'
import type { WeedingStop } from '../../domain/weeding.ts'
import { copiesByIds } from '../catalogue/copy-queries.ts'
import { findReferencesAlone } from '../catalogue/reference-queries.ts'
import type { Db, Trx } from '../db/handles.ts'
import { ownColumns, source } from '../db/lists/source.ts'
import { isActive } from '../library-facts/active-reservation.ts'
import { accountName } from '../library-facts/person-names.ts'
import { shelfMark } from '../library-facts/shelf-mark.ts'
import { visibleCopies, type Visibility, visibleWeedings } from '../visibility/visibility.ts'

/** What was withdrawn at once at the listed sites, with what of it stands there. */
const rowsFor = (visibility: Visibility) =>
  source(weedings, {
    from: sql`weedings g join users u on u.id = g.user_id cross join lateral (
      select count(*)::integer as copies, coalesce(sum(coalesce(c.price, r.price)), 0)::numeric(12, 2) as value,
        array_agg(distinct coalesce(k.reason, g.reason)) as reasons
      from weeding_lines k join copies c on c.id = k.copy join "references" r on r.id = c.reference
      where k.weeding = g.id and ${visibleCopies(visibility)}) told`,
    where: sql`g.deleted_at is null`,
    seen: visibleWeedings(visibility),
    id: sql`g.id`,
    columns: {
      withdrawn_on: sql`g.withdrawn_on`,
      who: accountName('u'),
      ...ownColumns('told', 'copies', 'value', 'reasons'),
      act: sql`g.act`,
    },
  })

export const listWeedings = (db: Db, list: ListQuery, visibility: Visibility): Promise<Collection<Weeding>> =>
  rowsFor(visibility).list(db, list)

export const findWeeding = (db: Db, id: number, visibility: Visibility): Promise<Weeding | null> =>
  rowsFor(visibility).find(db, id)

// All of a copy c.

/** It is there, and nobody bought it. */
export const isInStock = sql`(c.deleted_at is null and c.withdrawn_on is null)`

/** The day of its last loan. */
export const lastLoan = sql<string | null>`(
  select l.start_date from loanings l where l.copy = c.id and l.deleted_at is null and l.status <> 'cancelled'
  order by l.start_date desc limit 1)`

export const stop = sql<WeedingStop | null>`case
  when c.status = 'En Location' then 'lent' when c.status = 'En transfert' then 'sent'
  when exists (select from reservations v
    where v.reference_id = c.reference and c.id in (v.copy_id, v.set_aside_copy) and ${isActive}) then 'reserved' end`

/** Somebody waits for its title, of which nothing would be left but what is in the cart. */
export const isLastAwaited = sql<boolean>`(exists (
    select from reservations v where v.reference_id = c.reference and ${isActive})
  and not exists (
    select from copies o where o.reference = c.reference and o.id <> c.id and o.deleted_at is null
      and o.withdrawn_on is null and o.type = 'Location'
      and not exists (select from weeding_lines k where k.copy = o.id and k.weeding is null)))`

/** How many copies of its title stand at its site, with itself. */
const copiesAtSite: RawBuilder<number> = sql<number>`(
  select count(*)::integer from copies o
  where o.reference = c.reference and o.site = c.site and o.deleted_at is null and o.withdrawn_on is null)`

export type WeedingFacts = Omit<ExaminedCopy, '@id' | '@type' | 'in_cart'>

type Row = Pick<
  WeedingFacts,
  'id' | 'author' | 'call_number' | 'loans' | 'last_loan' | 'copies' | 'stopped' | 'is_last_awaited'
>

/** What decides about each of these copies, in their order. */
export async function weedingFacts(
  db: Db | Trx,
  ids: readonly number[],
  visibility: Visibility,
): Promise<WeedingFacts[]> {
  if (ids.length === 0) return []
  const copies = await copiesByIds(db, [...ids], visibility)
  const references = await findReferencesAlone(
    db,
    [...new Set(copies.map(({ reference }) => reference))],
    visibility,
  )
  const { rows } = await sql<Row>`
    select c.id, r.tags ->> 'author' as author,
      ${shelfMark} as call_number,
      (select count(*)::integer from loanings l
        where l.copy = c.id and l.deleted_at is null and l.status <> 'cancelled') as loans,
      ${lastLoan} as last_loan, ${copiesAtSite} as copies, ${stop} as stopped, ${isLastAwaited} as is_last_awaited
    from copies c join "references" r on r.id = c.reference where c.id = any(${[...ids]}::int[])`.execute(db)
  const factsOf = new Map(rows.map((row) => [row.id, row]))
  const imageOf = new Map(references.map(({ id, image_path }) => [id, image_path]))
  return copies.flatMap((copy) => {
    const facts = factsOf.get(copy.id)
    if (!facts) return []
    const { bar_code, name, reference, category, medium, location_label, site, site_name } = copy
    const { state, state_name, status_name, buy_date, price } = copy
    return [
      {
        ...facts,
        bar_code,
        name,
        reference,
        category,
        medium,
        location_label,
        site,
        site_name,
        state,
        state_name,
        status_name,
        buy_date,
        price,
        image_path: imageOf.get(reference) ?? null,
      },
    ]
  })
}
