import { sql } from 'kysely'

import type { changeReference } from '../../contract/references.ts'
import { listGroups, type ListGroup } from '../../domain/list-groups.ts'
import type { Trx } from '../db/handles.ts'
import { ahead } from '../db/connections/statement-batch.ts'
import type { VerbInput } from '../http/binding.ts'
import { type Refused, violation } from '../http/outcome.ts'
import { feedingMainAuthor, mainAuthorOf } from './main-author.ts'

type Written = VerbInput<typeof changeReference>['body']
type Authors = NonNullable<Written['authors']>
type Sent = { group: ListGroup; type: string; name: string }
type Found = { place: number; type: number | null; value: number | null; is_for_medium: boolean }

/** Gives a reference the coded fields that were sent, and what its main authors say as its author. */
export async function setCodedFields(
  trx: Trx,
  reference: number,
  { authors, tags }: Pick<Written, 'authors' | 'tags'>,
): Promise<Refused | null> {
  if (!authors) return tags ? feedAuthor(trx, reference, tags.author) : null
  // An author that a value had said goes with that value.
  if (tags?.author === undefined) {
    await ahead(
      trx,
      sql`
        update "references" set tags = tags - 'author'
        where id = ${reference} and tags ->> 'author' = ${mainAuthorOf(reference)}`,
    )
  }
  return (await setAuthors(trx, reference, authors)) ?? (await feedAuthor(trx, reference, tags?.author))
}

/** Refuses an author that was sent and is not the one that the main authors say, which would take its place unseen. */
async function feedAuthor(trx: Trx, reference: number, sent = ''): Promise<Refused | null> {
  if (sent !== '') {
    const { rows } = await sql<{ said: string }>`
      select said from (select ${mainAuthorOf(reference)} as said) main
      where said is not null and search_text(said) <> search_text(${sent})`.execute(trx)
    if (rows[0]) {
      return violation(
        'tags.author',
        `L’auteur est celui que disent les auteurs principaux, «\u00a0${rows[0].said}\u00a0»\u202f: changez-les plutôt que ce champ.`,
      )
    }
  }
  await ahead(trx, feedingMainAuthor({ reference }))
  return null
}

async function setAuthors(trx: Trx, reference: number, authors: Authors): Promise<Refused | null> {
  const groups = listGroups.filter((group) => authors[group] !== undefined)
  const sent = groups.flatMap((group) =>
    Object.entries(authors[group] ?? {}).flatMap(([type, names]) =>
      names.map((name): Sent => ({ group, type, name })),
    ),
  )
  const found = await findValues(trx, reference, sent)
  for (const { place, type, value, is_for_medium } of found) {
    const one = sent[place]!
    const said = (sentence: string) => violation(`authors.${one.group}`, sentence)
    if (type === null) return said(`La fonction «\u00a0${one.type}\u00a0» n’existe pas.`)
    if (value === null) {
      return said(`«\u00a0${one.name}\u00a0» n’est pas une valeur de «\u00a0${one.type}\u00a0».`)
    }
    if (!is_for_medium) return said(`«\u00a0${one.type}\u00a0» n’est pas pour ce support.`)
  }
  const values = [...new Set(found.map(({ value }) => value!))]
  // One that is being removed or merged is waited for, and then no longer there.
  const kept = await ahead(
    trx,
    sql`
      select from list_values where id = any(${values}::int[]) and deleted_at is null
      order by id for key share`,
  )
  await ahead(
    trx,
    sql`
      delete from reference_list_values l using list_values v
      where l.reference = ${reference} and v.id = l.list_value and v."group" = any(${groups}::text[])
        and l.list_value <> all (${values}::int[])`,
  )
  await sql`
    insert into reference_list_values (reference, list_value, position)
    select ${reference}::int, value, place from unnest(${values}::int[]) with ordinality as given (value, place)
    on conflict (reference, list_value) do update set position = excluded.position`.execute(trx)
  if ((await kept.answer()).rows.length < values.length) {
    return violation('authors', 'Une de ces valeurs vient d’être supprimée ou fusionnée.')
  }
  return null
}

/** By name within the function of that name; what the reference has already may be of another medium. */
async function findValues(trx: Trx, reference: number, sent: readonly Sent[]): Promise<Found[]> {
  if (sent.length === 0) return []
  const { rows } = await sql<Found>`
    select given.place - 1 as place, t.id as type, v.id as value, (
      not exists (select from list_type_media tm join media m on m.id = tm.medium
        where tm.list_type = t.id and m.deleted_at is null)
      or exists (select from list_type_media tm where tm.list_type = t.id and tm.medium = r.medium)
      or exists (select from reference_list_values l where l.reference = r.id and l.list_value = v.id)
    ) as is_for_medium
    from unnest(
      ${sent.map(({ group }) => group)}::text[], ${sent.map(({ type }) => type)}::text[],
      ${sent.map(({ name }) => name)}::text[]) with ordinality as given ("group", type, name, place)
    join "references" r on r.id = ${reference}
    left join list_types t
      on t."group" = given."group" and search_text(t.name) = search_text(given.type) and t.deleted_at is null
    left join list_values v
      on v.type = t.id and search_text(v.name) = search_text(given.name) and v.deleted_at is null
    order by given.place`.execute(trx)
  return rows
}
