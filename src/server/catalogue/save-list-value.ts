import { sql } from 'kysely'

import { listValues } from '../../contract/list-values.ts'
import type { ListGroup } from '../../domain/list-groups.ts'
import { violation } from '../http/outcome.ts'
import { ownWrites } from '../http/own-writes.ts'
import { listValueRows, whileCarried } from './list-rows.ts'
import { feedMainAuthor, unfeedMainAuthor } from './main-author.ts'
import { noSuchType } from './save-list-type.ts'

const groupOf = (type: number) => sql<ListGroup>`(select "group" from list_types where id = ${type})`

export const {
  missing: noSuchValue,
  lock: lockListValue,
  toggle: toggleListValue,
  bindings: listValueBindings,
} = ownWrites(listValues, listValueRows, {
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
  begin: (trx, { name, type }) =>
    trx
      .insertInto('list_values')
      .values({ name, type, group: groupOf(type), deleted_at: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  write: async (trx, { id, type: before }, { name, type = before.id, enabled }) => {
    if (type !== before.id) await unfeedMainAuthor(trx, { value: id })
    await trx
      .updateTable('list_values')
      .set({ name, type, enabled, group: groupOf(type) })
      .where('id', '=', id)
      .execute()
    await feedMainAuthor(trx, { value: id })
    return null
  },
  mayGo: (trx, { id }) =>
    whileCarried(trx, { value: id }, 'cette valeur\u202f: fusionnez-la avec une autre, ou désactivez-la.'),
})
