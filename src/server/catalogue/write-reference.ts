import { sql } from 'kysely'

import type { changeReference } from '../../contract/references.ts'
import { isbnOf } from '../../domain/bar-code.ts'
import { newUntil } from '../../domain/new-durations.ts'
import { isSameTitle, plainVolume } from '../../domain/same-work.ts'
import type { Trx } from '../db/handles.ts'
import { lockInLibrary } from '../db/library-lock.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { type Refused, violation } from '../http/outcome.ts'

type Written = Omit<VerbInput<typeof changeReference>['body'], 'version'>

/** A reference that is there, as far as writing asks. */
type ReferenceBefore = {
  id: number
  name: string
  code: string | null
  image_path: string | null
  new_at: string | null
  tags: Record<string, string>
  reference_data: Record<string, string>
}

/** Columns of what was sent; tags and data that were not sent keep their values, empty ones go. */
export function referenceColumns(sent: Written, before: ReferenceBefore | null, today: string) {
  const { code, new_duration, keywords: _, authors: __, image, tags, reference_data, ...own } = sent
  return {
    ...own,
    ...(image === null ? { image_version: null } : {}),
    ...(code === undefined ? {} : { code: code === null || code === '' ? null : (isbnOf(code) ?? code) }),
    ...(new_duration === undefined
      ? {}
      : { new_at: newUntil(new_duration, { today, before: before?.new_at ?? null }) }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(merged(before?.tags, tags)) }),
    ...(reference_data === undefined
      ? {}
      : { reference_data: JSON.stringify(merged(before?.reference_data, reference_data)) }),
  }
}

const merged = (before: Record<string, string> = {}, sent: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value))

/** Why a reference may not be so, or null; its code is locked until the transaction ends. */
export async function referenceRefusal(
  trx: Trx,
  sent: Written,
  columns: Pick<Written, 'code' | 'category' | 'medium'>,
  before: ReferenceBefore | null,
): Promise<Refused | null> {
  const { image, name = before?.name ?? '' } = sent
  if (image && image !== before?.image_path) {
    return violation('image', 'Cette image n’est pas celle de la référence\u202f: envoyez-la par un fichier.')
  }
  const { code = before?.code, category, medium } = columns
  const volumeBefore = before?.reference_data['volume'] ?? ''
  const volume = sent.reference_data?.volume ?? volumeBefore
  const isOther = code !== before?.code || name !== before?.name || volume !== volumeBefore
  const taken =
    code && isOther ? await sameWork(trx, { code, name, volume, besides: before?.id ?? null }) : null
  if (taken) return violation('code', `Le code ${code} est déjà celui de ${taken}`)
  if (category && !(await isThere(trx, 'categories', category)))
    return violation('category', 'Cette catégorie n’existe pas.')
  if (medium && !(await isThere(trx, 'media', medium))) return violation('medium', 'Ce support n’existe pas.')
  return null
}

/**
 * Another reference of this code, title and volume, in words, or null. Publishers give one code to the volumes of a set, and give
 * some codes twice; no index holds codes apart.
 */
export async function sameWork(
  trx: Trx,
  { code, name, volume, besides }: { code: string; name: string; volume: string; besides: number | null },
): Promise<string | null> {
  await lockInLibrary(trx, 'reference code', code)
  const { rows } = await sql<
    Record<'name' | 'told' | 'title' | 'volume' | 'own_title' | 'own_volume', string>
  >`
    select r.name, coalesce(r.reference_data ->> 'volume', '') as told,
      search_text(r.name) as title, search_text(coalesce(r.reference_data ->> 'volume', '')) as volume,
      search_text(${name}::text) as own_title, search_text(${volume}::text) as own_volume
    from "references" r
    where r.code = ${code} and r.deleted_at is null and r.id is distinct from ${besides}::int order by r.id`.execute(
    trx,
  )
  const same = rows.find(
    (row) => isSameTitle(row.title, row.own_title) && plainVolume(row.volume) === plainVolume(row.own_volume),
  )
  if (!same) return null
  const which = same.told === '' ? '' : ` (tome ${same.told})`
  return `«\u00a0${same.name}\u00a0»${which}. Un autre tome s’enregistre avec son numéro.`
}

/** Waits for a deletion that is under way, which else would leave a reference of what is gone. */
async function isThere(trx: Trx, table: 'categories' | 'media' | 'locations', id: number): Promise<boolean> {
  const { rows } = await sql`
    select from ${sql.table(table)} where id = ${id} and deleted_at is null for key share`.execute(trx)
  return rows.length > 0
}

export const isLocation = (trx: Trx, id: number) => isThere(trx, 'locations', id)

/** Gives a reference these keywords and no others; unknown ones are made by whoever may keep the list. */
export async function setKeywords(
  trx: Trx,
  reference: number,
  names: readonly string[],
  exchange: Exchange,
): Promise<Refused | null> {
  if (names.length === 0) {
    await trx.deleteFrom('reference_keywords').where('reference', '=', reference).execute()
    return null
  }
  const unknown = await sql<{ name: string }>`
    select distinct on (search_text(name)) name from unnest(${names}::text[]) as names (name)
    where not exists (
      select from keywords k where search_text(k.name) = search_text(names.name) and k.deleted_at is null)`.execute(
    trx,
  )
  if (unknown.rows.length > 0 && !exchange.caller.rights.has('PARAMETER_KEYWORD')) {
    return violation('keywords', `Le mot-clé «\u00a0${unknown.rows[0]!.name}\u00a0» n’existe pas.`)
  }
  for (const { name } of unknown.rows) {
    const { rows } = await sql<{ id: number }>`
      insert into keywords (name) values (${name}) on conflict do nothing returning id`.execute(trx)
    for (const { id } of rows) {
      const after = { id, name }
      await journal(trx, exchange, { action: 'keywords.add', entity: 'keywords', entity_id: id, after })
    }
  }
  // One that is being removed is waited for, and then no longer there.
  const { rows: kept } = await sql<{ all: boolean }>`
    with worded as (select distinct search_text(name) as name from unnest(${names}::text[]) as names (name)),
      kept as materialized (
        select k.id from keywords k
        where k.deleted_at is null and search_text(k.name) in (select name from worded) order by k.id for key share)
    select (select count(*) from kept) = (select count(*) from worded) as all`.execute(trx)
  if (!kept[0]?.all) {
    return violation('keywords', 'Un de ces mots-clés vient d’être supprimé.')
  }
  await sql`
    delete from reference_keywords rk using keywords k
    where rk.reference = ${reference} and k.id = rk.keyword
      and search_text(k.name) <> all (select search_text(name) from unnest(${names}::text[]) as names (name))`.execute(
    trx,
  )
  await sql`
    insert into reference_keywords (reference, keyword)
    select distinct ${reference}::int, k.id from unnest(${names}::text[]) as names (name)
    join keywords k on search_text(k.name) = search_text(names.name) and k.deleted_at is null
    on conflict do nothing`.execute(trx)
  return null
}
