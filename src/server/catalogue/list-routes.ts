import { sql } from 'kysely'

import * as types from '../../contract/list-types.ts'
import * as values from '../../contract/list-values.ts'
import { type ListValue, mergeListValues as mergeCall } from '../../contract/list-values.ts'
import * as fields from '../../contract/reference-fields.ts'
import type {
  changeReferenceField as changeReferenceFieldCall,
  ReferenceFieldItem,
} from '../../contract/reference-fields.ts'
import type { ListGroup } from '../../domain/list-groups.ts'
import type { Trx } from '../db/handles.ts'
import { openAct } from '../http/act.ts'
import { change, read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal, journalEach } from '../http/journal.ts'
import { done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { ownWrites } from '../http/own-writes.ts'
import { countLinks, listTypeRows, listValueRows, referenceFieldRows, whileCarried } from './list-rows.ts'
import { feedMainAuthor, renewReferences, unfeedMainAuthor } from './main-author.ts'
import { readAuthorsAndTags } from './reference-queries.ts'
import { noSuchMedium } from './save-medium.ts'

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

const groupOf = async (trx: Trx, type: number): Promise<ListGroup> =>
  (await trx.selectFrom('list_types').select('group').where('id', '=', type).executeTakeFirstOrThrow()).group

export const {
  missing: noSuchValue,
  lock: lockListValue,
  toggle: toggleListValue,
  bindings: listValueBindings,
} = ownWrites(values.listValues, listValueRows, {
  taken: { name: 'Cette fonction a déjà une valeur de ce nom.' },
  /** A group that was sent may only repeat that of the function. */
  mayWrite: async (trx, before, { type = before?.type.id, group }) => {
    const { rows } = await sql<{ group: ListGroup }>`
      select "group" from list_types where id = ${type} and deleted_at is null for key share`.execute(trx)
    const [found] = rows
    if (!found) return violation('type', noSuchType)
    if (group === undefined || group === found.group) return null
    return violation('group', 'Cette fonction est d’un autre groupe.')
  },
  begin: async (trx, { name, type }) =>
    trx
      .insertInto('list_values')
      .values({ name, type, group: await groupOf(trx, type), deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  write: async (trx, { id, type: before }, { name, type = before.id, enabled }) => {
    if (type !== before.id) await unfeedMainAuthor(trx, { value: id })
    await trx
      .updateTable('list_values')
      .set({ name, type, enabled, group: await groupOf(trx, type) })
      .where('id', '=', id)
      .execute()
    await feedMainAuthor(trx, { value: id })
    return null
  },
  mayGo: (trx, { id }) =>
    whileCarried(trx, { value: id }, 'cette valeur\u202f: fusionnez-la avec une autre, ou désactivez-la.'),
})

export const {
  missing: noSuchType,
  toggle: toggleListType,
  bindings: listTypeBindings,
} = ownWrites(types.listTypes, listTypeRows, {
  taken: { name: 'Une fonction de ce groupe porte déjà ce nom.' },
  begin: (trx, { name, group }) =>
    trx
      .insertInto('list_types')
      .values({ name, group, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  write: async (trx, before, { name, group = before.group, enabled, isMainAuthor, medium }) => {
    const { id } = before
    // Kept only when the group is author.
    const is_main_author = group === 'author' && (isMainAuthor ?? before.isMainAuthor)
    const isNoLonger = before.isMainAuthor && !is_main_author
    if (isNoLonger) await unfeedMainAuthor(trx, { type: id })
    await trx
      .updateTable('list_types')
      .set({ name, group, enabled, is_main_author })
      .where('id', '=', id)
      .execute()
    if (medium && !(await setMedia(trx, id, medium))) return violation('medium', noSuchMedium)
    if (is_main_author || isNoLonger) await feedMainAuthor(trx, { type: id })
    return null
  },
  /** Takes its values along, which no reference carries. */
  mayGo: async (trx, { id }, deleted_at) => {
    await sql`select from list_values where type = ${id} order by id for update`.execute(trx)
    const refused = await whileCarried(
      trx,
      { type: id },
      'une valeur de cette fonction\u202f: désactivez-la plutôt, elle ne sera plus proposée.',
    )
    if (refused) return refused
    await sql`
      update list_values set deleted_at = ${deleted_at} where type = ${id} and deleted_at is null`.execute(
      trx,
    )
    return null
  },
})

/** Answers whether every medium is there; a deletion that is under way is waited for. */
async function setMedia(trx: Trx, list_type: number, given: readonly number[]): Promise<boolean> {
  const media = [...new Set(given)]
  const { rows } = await sql`
    select from media where id = any(${media}::int[]) and deleted_at is null order by id for key share`.execute(
    trx,
  )
  if (rows.length < media.length) return false
  await trx.deleteFrom('list_type_media').where('list_type', '=', list_type).execute()
  const links = media.map((medium) => ({ list_type, medium }))
  if (links.length > 0) await trx.insertInto('list_type_media').values(links).execute()
  return true
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
