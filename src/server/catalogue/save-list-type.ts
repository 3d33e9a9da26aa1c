import { sql } from 'kysely'

import { listTypes } from '../../contract/list-types.ts'
import type { Trx } from '../db/handles.ts'
import { violation } from '../http/outcome.ts'
import { ownWrites } from '../http/own-writes.ts'
import { listTypeRows, whileCarried } from './list-rows.ts'
import { feedMainAuthor, unfeedMainAuthor } from './main-author.ts'
import { noSuchMedium } from './save-medium.ts'

export const {
  missing: noSuchType,
  toggle: toggleListType,
  bindings: listTypeBindings,
} = ownWrites(listTypes, listTypeRows, {
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
