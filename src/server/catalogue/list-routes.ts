import { sql } from 'kysely'

import * as types from '../../contract/list-types.ts'
import * as values from '../../contract/list-values.ts'
import { type ListValue, mergeListValues as mergeCall } from '../../contract/list-values.ts'
import * as fields from '../../contract/reference-fields.ts'
import type {
  changeReferenceField as changeReferenceFieldCall,
  ReferenceFieldItem,
} from '../../contract/reference-fields.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal, journalEach } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { countLinks, listTypeRows, listValueRows, referenceFieldRows } from './list-rows.ts'
import { renewReferences } from './main-author.ts'
import { readAuthorsAndTags } from './reference-queries.ts'
import { listTypeBindings, noSuchType, toggleListType } from './save-list-type.ts'
import { listValueBindings, lockListValue, noSuchValue, toggleListValue } from './save-list-value.ts'

/** What references hold in a field stays there, whatever it is called and whether it is shown. */
async function changeReferenceField(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof changeReferenceFieldCall>,
  exchange: Exchange,
): Promise<Outcome<ReferenceFieldItem>> {
  await sql`select from reference_fields where id = ${id} for update`.execute(trx)
  const before = await referenceFieldRows.find(trx, id)
  if (!before) return notFound('Ce champ n’existe pas.')
  const { traduction = before.traduction, disabled = before.disabled } = body
  if (traduction === before.traduction && disabled === before.disabled) return done(before)
  const changed = { traduction, disabled, date_update: exchange.now.toISOString() }
  await trx.updateTable('reference_fields').set(changed).where('id', '=', id).execute()
  const after = { ...before, ...changed }
  await journal(trx, exchange, {
    action: 'reference_fields.change',
    entity: 'reference_fields',
    entity_id: id,
    before,
    after,
  })
  return done(after)
}

/** Those that carry the value, locked until the transaction ends. */
async function lockReferencesOf(trx: Trx, value: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from reference_list_values l join "references" r on r.id = l.reference
    where l.list_value = ${value} and r.deleted_at is null order by r.id for no key update of r`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Gives the references of one value another of the same function; the first goes. */
async function mergeListValues(
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

export const listRoutes = [
  ...listTypeBindings,
  change(types.toggleListTypeByGet, toggleListType),
  read(types.countListTypeLinks, async (db, { params: { id } }) =>
    (await listTypeRows.find(db, id)) ? done({ nb_links: await countLinks(db, id) }) : notFound(noSuchType),
  ),
  ...listValueBindings,
  change(values.toggleListValueByGet, toggleListValue),
  change(values.mergeListValues, mergeListValues),
  change(values.mergeListValuesByGet, mergeListValues),
  read(fields.referenceFields.list, async (db, { list }) => done(await referenceFieldRows.list(db, list))),
  change(fields.changeReferenceField, changeReferenceField),
]
