import { sql } from 'kysely'

import type { Reference } from '../../contract/catalogue.ts'
import type { changeReference as changeReferenceCall } from '../../contract/references.ts'
import { listGroups } from '../../domain/list-groups.ts'
import { type Facts, idIn, someOf, type Undoable } from '../acts/undoable.ts'
import type { VerbInput } from '../http/binding.ts'
import { changeReference } from './change-reference.ts'
import { findReferencesAlone } from './reference-queries.ts'
import { sameWork } from './write-reference.ts'

const plain = [
  'name',
  'code',
  'description',
  'short_description',
  'price',
  'type',
  'deposit_check',
  'new_at',
  'audience',
  'tags',
  'reference_data',
]

export const undoReferences: Undoable = {
  nameOf: ({ name }) => String(name),

  lock: (trx, ids) =>
    sql`select from "references" where id = any(${ids}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids, { visibility }) => {
    const found = await findReferencesAlone(trx, [...ids], visibility)
    return new Map(found.map((reference) => [reference.id, reference as Facts]))
  },

  own: (facts) => ({
    ...someOf(facts, plain),
    ...('authors' in facts ? { authors: everyGroup(facts['authors']) } : {}),
    ...('category' in facts ? { category: idIn(facts['category']) } : {}),
    ...('medium' in facts ? { medium: idIn(facts['medium']) } : {}),
    ...('keywords' in facts ? { keywords: [...(facts['keywords'] as string[])].sort() } : {}),
    // What was found for it is not its own.
    ...('image_source' in facts
      ? { image: facts['image_source'] === 'own' ? facts['image_path'] : null }
      : {}),
  }),

  takeAway: async (trx, ids, { now }) => {
    const { rows } = await sql<{ id: number; copies: boolean; awaited: boolean }>`
      select r.id,
        exists (select from copies c where c.reference = r.id and c.deleted_at is null) as copies,
        exists (select from reservations v where v.reference_id = r.id and v.deleted_at is null) as awaited
      from "references" r where r.id = any(${ids}::int[])`.execute(trx)
    const held = rows.filter(({ copies, awaited }) => copies || awaited)
    const kept = new Map(
      held.map(({ id, copies }) => [id, copies ? 'Elle a encore des exemplaires.' : 'Elle est réservée.']),
    )
    await sql`
      update "references" set deleted_at = ${now.toISOString()}
      where id = any(${ids}::int[]) and id <> all(${[...kept.keys()]}::int[])`.execute(trx)
    return kept
  },

  giveBack: async (trx, { id, before, now }, exchange) => {
    const body = bodyOf(before, now as unknown as Reference)
    // A save says how long a novelty lasts, and no day.
    if (before['new_at'] !== undefined && before['new_at'] !== now['new_at']) {
      const new_at = before['new_at'] as string | null
      await trx.updateTable('references').set({ new_at }).where('id', '=', id).execute()
    }
    const outcome = await changeReference(trx, { params: { id }, query: undefined, body }, exchange)
    return outcome.ok ? null : outcome.refusal.message
  },

  bringBack: async (trx, { id, before }) => {
    const { code, name, reference_data } = before as Pick<Reference, 'code' | 'name' | 'reference_data'>
    if (code) {
      const volume = reference_data.volume ?? ''
      if (await sameWork(trx, { code, name, volume, besides: id }))
        return `Le code ${code} est maintenant celui d’une autre référence.`
    }
    await trx.updateTable('references').set({ deleted_at: null }).where('id', '=', id).execute()
    return null
  },
}

type Body = VerbInput<typeof changeReferenceCall>['body']

/** A group without values is not told. */
const everyGroup = (authors: unknown) => ({
  ...Object.fromEntries(listGroups.map((group) => [group, {}])),
  ...(authors as object),
})

/** What a save would send to make it so again; what it did not have before is emptied. */
function bodyOf(before: Facts, now: Reference): Body {
  const emptied = (is: object, was: unknown) => ({
    ...Object.fromEntries(Object.keys(is).map((name) => [name, ''])),
    ...(was as object),
  })
  const { new_at: _, tags, reference_data, ...others } = someOf(before, plain)
  return {
    ...others,
    ...('category' in before ? { category: idIn(before['category']) } : {}),
    ...('medium' in before ? { medium: idIn(before['medium']) } : {}),
    ...('keywords' in before ? { keywords: before['keywords'] } : {}),
    ...(tags ? { tags: emptied(now.tags, tags) } : {}),
    ...(reference_data ? { reference_data: emptied(now.reference_data, reference_data) } : {}),
    ...('authors' in before ? { authors: everyGroup(before['authors']) } : {}),
  } as Body
}
