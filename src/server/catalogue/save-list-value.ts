import { sql } from 'kysely'

import { type ListValue, listValues } from '../../contract/list-values.ts'
import type { Trx } from '../db/handles.ts'
import { takenField } from '../http/bind-resource.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { conflict, done, notFound, type Outcome, violation } from '../http/outcome.ts'
import { journal } from '../http/journal.ts'
import { countReferences, listValueRows } from './list-rows.ts'
import { feedMainAuthor, unfeedMainAuthor } from './main-author.ts'

export const noSuchValue = 'Cette valeur n’existe pas.'
const taken = { name: 'Cette fonction a déjà une valeur de ce nom.' }

export async function addListValue(
  trx: Trx,
  { body }: VerbInput<typeof listValues.add>,
  exchange: Exchange,
): Promise<Outcome<ListValue>> {
  const { name, type, enabled = true, group } = body
  const found = await groupOf(trx, { type, group })
  if (!found.ok) return found
  return untaken(async () => {
    const { id } = await trx
      .insertInto('list_values')
      .values({ name, type, enabled, group: found.answer, deleted_at: null, ...stamp(exchange) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return journalChange(trx, exchange, { id, before: null, action: listValues.add.name })
  })
}

export async function changeListValue(
  trx: Trx,
  { params: { id }, body }: VerbInput<typeof listValues.change>,
  exchange: Exchange,
): Promise<Outcome<ListValue>> {
  const before = await lockListValue(trx, id)
  if (!before) return notFound(noSuchValue)
  const { name = before.name, type = before.type.id, enabled = before.enabled, group } = body
  const found = await groupOf(trx, { type, group })
  if (!found.ok) return found
  const after = { name, type, enabled, group: found.answer }
  return untaken(() => write(trx, exchange, { before, after, action: listValues.change.name }))
}

export async function toggleListValue(
  trx: Trx,
  { params: { id } }: Pick<VerbInput<typeof listValues.toggle>, 'params'>,
  exchange: Exchange,
): Promise<Outcome<ListValue>> {
  const before = await lockListValue(trx, id)
  if (!before) return notFound(noSuchValue)
  const after = { name: before.name, type: before.type.id, group: before.group, enabled: !before.enabled }
  return write(trx, exchange, { before, after, action: listValues.toggle.name })
}

/** One that a reference carries can only be merged or disabled. */
export async function removeListValue(
  trx: Trx,
  { params: { id } }: VerbInput<typeof listValues.remove>,
  exchange: Exchange,
): Promise<Outcome<null>> {
  const before = await lockListValue(trx, id)
  if (!before) return notFound(noSuchValue)
  const count = await countReferences(trx, { value: id })
  if (count > 0) {
    const used = count === 1 ? 'Une référence porte' : `${count} références portent`
    return conflict('IN_USE', `${used} cette valeur\u202f: fusionnez-la avec une autre, ou désactivez-la.`, {
      count,
    })
  }
  await trx
    .updateTable('list_values')
    .set({ deleted_at: exchange.now.toISOString() })
    .where('id', '=', id)
    .execute()
  const action = listValues.remove.name
  await journal(trx, exchange, { action, entity: 'list_values', entity_id: id, before, after: null })
  return done(null)
}

/** The value as it stands, which nobody else changes until the end of the transaction. */
export async function lockListValue(trx: Trx, id: number): Promise<ListValue | null> {
  await sql`select from list_values where id = ${id} and deleted_at is null for update`.execute(trx)
  return listValueRows.find(trx, id)
}

/** The group of the function that is named, which a group that was sent may only repeat. */
async function groupOf(
  trx: Trx,
  { type, group }: { type: number; group: ListValue['group'] | undefined },
): Promise<Outcome<ListValue['group']>> {
  const { rows } = await sql<{ group: ListValue['group'] }>`
    select "group" from list_types where id = ${type} and deleted_at is null for key share`.execute(trx)
  const [found] = rows
  if (!found) return violation('type', 'Cette fonction n’existe pas.')
  if (group !== undefined && group !== found.group) {
    return violation('group', 'Cette fonction est d’un autre groupe.')
  }
  return done(found.group)
}

const untaken = (work: () => Promise<Outcome<ListValue>>) =>
  work().catch((error: unknown) => takenField(error, 'list_values', taken))

const stamp = ({ now }: Exchange) => ({ date_update: now.toISOString() })

type Change = {
  before: ListValue
  after: Pick<ListValue, 'name' | 'group' | 'enabled'> & { type: number }
  action: string
}

async function write(
  trx: Trx,
  exchange: Exchange,
  { before, after, action }: Change,
): Promise<Outcome<ListValue>> {
  const { id, name, enabled, type } = before
  if (name === after.name && enabled === after.enabled && type.id === after.type) return done(before)
  if (type.id !== after.type) await unfeedMainAuthor(trx, { value: id })
  await trx
    .updateTable('list_values')
    .set({ ...after, ...stamp(exchange) })
    .where('id', '=', id)
    .execute()
  await feedMainAuthor(trx, { value: id })
  return journalChange(trx, exchange, { id, before, action })
}

async function journalChange(
  trx: Trx,
  exchange: Exchange,
  { id, before, action }: { id: number; before: ListValue | null; action: string },
): Promise<Outcome<ListValue>> {
  const after = await listValueRows.find(trx, id)
  if (!after) throw new Error('a value under lock has gone')
  await journal(trx, exchange, { action, entity: 'list_values', entity_id: id, before, after })
  return done(after)
}
