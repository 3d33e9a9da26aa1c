import { sql } from 'kysely'

import { type ListValue, mergeListValues as mergeCall } from '../../contract/list-values.ts'
import type { Trx } from '../db/handles.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { openAct } from '../http/act.ts'
import { journal, journalEach } from '../http/journal.ts'
import { listValueRows } from './list-rows.ts'
import { readAuthorsAndTags } from './reference-queries.ts'
import { renewReferences } from './main-author.ts'
import { lockListValue, noSuchValue } from './save-list-value.ts'

/** Those that carry the value, locked until the transaction ends. */
async function lockReferencesOf(trx: Trx, value: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from reference_list_values l join "references" r on r.id = l.reference
    where l.list_value = ${value} and r.deleted_at is null order by r.id for no key update of r`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Gives the references of one value another of the same function; the first goes (decisions 26 and 27). */
export async function mergeListValues(
  trx: Trx,
  { params: { source, target } }: Pick<VerbInput<typeof mergeCall>, 'params'>,
  exchange: Exchange,
): Promise<Outcome<ListValue>> {
  // In the order of their ids, so that two merges at once never wait for each other.
  const locked = new Map<number, ListValue | null>()
  for (const id of [source, target].sort((a, b) => a - b)) locked.set(id, await lockListValue(trx, id))
  const before = locked.get(source)
  const into = locked.get(target)
  if (!before || !into) return notFound(noSuchValue)
  if (source === target) return violation('target', 'Choisissez une autre valeur.')
  if (before.type.id !== into.type.id) {
    return violation('target', 'Deux valeurs ne se fusionnent que si elles sont de la même fonction.')
  }
  const ids = await lockReferencesOf(trx, source)
  const referencesBefore = await readAuthorsAndTags(trx, ids)
  // A reference that has both keeps one.
  const { rows: merged } = await sql<{ reference: number }>`
    with twice as (
      delete from reference_list_values l where l.list_value = ${source} and exists (
        select from reference_list_values o where o.reference = l.reference and o.list_value = ${target})
      returning l.reference
    ), moved as (
      update reference_list_values l set list_value = ${target}
      where l.list_value = ${source} and not exists (
        select from reference_list_values o where o.reference = l.reference and o.list_value = ${target})
      returning l.reference
    )
    select reference from twice union all select reference from moved`.execute(trx)
  await renewReferences(
    trx,
    target,
    merged.map(({ reference }) => reference),
  )
  await trx
    .updateTable('list_values')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', source)
    .execute()
  const after = await listValueRows.find(trx, target)
  if (!after) throw new Error('a value under lock has gone')
  const name = `«\u00a0${before.name}\u00a0» fusionnée avec «\u00a0${into.name}\u00a0»`
  const within = await openAct(trx, exchange, { kind: 'list_values.merge', name })
  const referencesAfter = await readAuthorsAndTags(trx, ids)
  await journalEach(
    trx,
    within,
    ids.map((id) => ({
      action: 'references.merge',
      entity: 'references',
      entity_id: id,
      before: referencesBefore.get(id)!,
      after: referencesAfter.get(id)!,
    })),
  )
  // Undone in the other order: the value is there again before its references have it.
  await journal(trx, within, {
    action: mergeCall.name,
    entity: 'list_values',
    entity_id: source,
    before,
    after,
  })
  return done(after)
}
