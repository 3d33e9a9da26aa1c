import { sql } from 'kysely'

import { type ListType, listTypes } from '../../contract/list-types.ts'
import type { Trx } from '../db/handles.ts'
import { takenField } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { countReferences, listTypeRows } from './list-rows.ts'
import { feedMainAuthor, unfeedMainAuthor } from './main-author.ts'

export const noSuchType = 'Cette fonction n’existe pas.'
const taken = { name: 'Une fonction de ce groupe porte déjà ce nom.' }

type Fields = VerbInput<typeof listTypes.change>['body'] & { enabled?: boolean }

export async function addListType(
  trx: Trx,
  { body }: VerbInput<typeof listTypes.add>,
  exchange: Exchange,
): Promise<Outcome<ListType>> {
  return untaken(async () => {
    const { id } = await trx
      .insertInto('list_types')
      .values({ name: body.name, group: body.group, deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    const before = await listTypeRows.find(trx, id)
    if (!before) throw new Error('a function has gone while it was added')
    return write(trx, exchange, { before, isNew: true, fields: body, action: listTypes.add.name })
  })
}

export async function changeListType(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof listTypes.change>,
  exchange: Exchange,
): Promise<Outcome<ListType>> {
  const before = await lockListType(trx, id)
  if (!before) return notFound(noSuchType)
  return untaken(() => write(trx, exchange, { before, fields: body, action: listTypes.change.name }))
}

export async function toggleListType(
  trx: Trx,
  { params: { id } }: Pick<VerbInput<typeof listTypes.toggle>, 'params'>,
  exchange: Exchange,
): Promise<Outcome<ListType>> {
  const before = await lockListType(trx, id)
  if (!before) return notFound(noSuchType)
  return write(trx, exchange, { before, fields: { enabled: !before.enabled }, action: listTypes.toggle.name })
}

/** Takes its values along, which no reference carries. */
export async function removeListType(
  trx: Trx,
  { params: { id } }: VerbInput<typeof listTypes.remove>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockListType(trx, id)
  if (!before) return notFound(noSuchType)
  await sql`select from list_values where type = ${id} order by id for update`.execute(trx)
  const count = await countReferences(trx, { type: id })
  if (count > 0) {
    const used = count === 1 ? 'Une référence porte' : `${count} références portent`
    return conflict(
      'IN_USE',
      `${used} une valeur de cette fonction\u202f: désactivez-la plutôt, elle ne sera plus proposée.`,
      { count },
    )
  }
  const deleted_at = exchange.now.toISOString()
  await trx
    .updateTable('list_values')
    .set({ deleted_at })
    .where('type', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
  await trx.updateTable('list_types').set({ deleted_at }).where('id', '=', id).execute()
  const action = listTypes.remove.name
  await journal(trx, exchange, { action, entity: 'list_types', entity_id: id, before, after: null })
  return done(null)
}

/** The function as it stands, which nobody else changes until the end of the transaction. */
async function lockListType(trx: Trx, id: number): Promise<ListType | null> {
  await sql`select from list_types where id = ${id} and deleted_at is null for update`.execute(trx)
  return listTypeRows.find(trx, id)
}

const untaken = (work: () => Promise<Outcome<ListType>>) =>
  work().catch((error: unknown) => takenField(error, 'list_types', taken))

type Change = { before: ListType; isNew?: boolean; fields: Fields; action: string }

async function write(
  trx: Trx,
  exchange: Exchange,
  { before, isNew = false, fields, action }: Change,
): Promise<Outcome<ListType>> {
  const { id } = before
  const { name = before.name, group = before.group, enabled = before.enabled, medium } = fields
  // Kept only when the group is author.
  const is_main_author = group === 'author' && (fields.isMainAuthor ?? before.isMainAuthor)
  const isNoLonger = before.isMainAuthor && !is_main_author
  if (isNoLonger) await unfeedMainAuthor(trx, { type: id })
  await trx
    .updateTable('list_types')
    .set({ name, group, enabled, is_main_author })
    .where('id', '=', id)
    .execute()
  if (medium && !(await setMedia(trx, id, medium))) return violation('medium', 'Ce support n’existe pas.')
  if (is_main_author || isNoLonger) await feedMainAuthor(trx, { type: id })
  const after = await listTypeRows.find(trx, id)
  if (!after) throw new Error('a function under lock has gone')
  if (!isNew && JSON.stringify(before) === JSON.stringify(after)) return done(after)
  const date_update = exchange.now.toISOString()
  await trx.updateTable('list_types').set({ date_update }).where('id', '=', id).execute()
  const stamped = { ...after, date_update }
  const changed = { action, entity: 'list_types', entity_id: id }
  await journal(trx, exchange, { ...changed, before: isNew ? null : before, after: stamped })
  return done(stamped)
}

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
