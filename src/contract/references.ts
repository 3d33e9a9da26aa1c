import * as v from 'valibot'

import { audiences } from '../domain/age-bands.ts'
import { newDurations } from '../domain/new-durations.ts'
import { copyTypes, reference, referenceDataNames, tagNames } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { atMost, byId, linkTo, money, nothing, readVersion, someText, text } from './wire.ts'

const textsOf = <const Name extends string>(names: readonly Name[], longest: number) =>
  v.strictObject(
    Object.fromEntries(names.map((name) => [name, v.optional(text(longest))])) as Record<
      Name,
      v.OptionalSchema<ReturnType<typeof text>, undefined>
    >,
  )

/** Names that no object may have as keys would be lost without a word. */
const hasLostKeys = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  ['__proto__', 'prototype', 'constructor'].some((name) => Object.hasOwn(value, name))
const coded = v.optional(
  v.pipe(
    v.unknown(),
    v.check((value) => !hasLostKeys(value), 'a une fonction dont le nom n’est pas permis'),
    v.record(someText(100), atMost(100, 'valeurs', someText(300))),
  ),
)

/** A field that is not sent stays; an empty text or null empties it. */
const written = {
  name: someText(500),
  /** An ISBN is kept as its 13 digits, however it was written. */
  code: v.optional(v.nullable(text(40))),
  description: v.optional(text(10_000)),
  short_description: v.optional(text(1000)),
  category: v.optional(v.nullable(linkTo('categories'))),
  medium: v.optional(v.nullable(linkTo('media'))),
  price: v.optional(money),
  type: v.optional(v.picklist(copyTypes)),
  deposit_check: v.optional(v.boolean()),
  /** `same` leaves the last day as a novelty as it is. */
  new_duration: v.optional(v.picklist(newDurations)),
  audience: v.optional(v.nullable(v.picklist(audiences, 'doit être adulte ou jeunesse'))),
  /** By their names. */
  keywords: v.optional(atMost(100, 'mots-clés', someText(100))),
  /** As it is told, which stays, or null, which takes it away; a file is sent by itself. */
  image: v.optional(v.nullable(text(200))),
  tags: v.optional(textsOf(tagNames, 300)),
  reference_data: v.optional(textsOf(referenceDataNames, 5000)),
  /** By their names; a group that is not sent stays, one that is sent has these and no others. */
  authors: v.optional(v.strictObject({ author: coded, editor: coded, list: coded })),
}

export const addReference = endpoint({
  name: 'references.add',
  method: 'POST',
  path: '/api/references',
  access: 'COPY_CREATEREF',
  summary: 'Ajouter une référence',
  status: 201,
  body: v.strictObject(written),
  answer: reference,
})

export const changeReference = endpoint({
  name: 'references.change',
  method: 'PUT',
  path: '/api/references/{id}',
  access: 'REFERENCE_EDIT',
  summary: 'Modifier une référence\u202f; `version` est celle que l’on a lue',
  params: byId,
  body: v.strictObject({
    ...v.partial(v.object(written)).entries,
    version: readVersion,
  }),
  answer: reference,
})

export const removeReference = endpoint({
  name: 'references.remove',
  method: 'DELETE',
  path: '/api/references/{id}',
  access: 'REFERENCE_DELETE',
  summary: 'Supprimer une référence et ses exemplaires',
  params: byId,
  status: 204,
  answer: nothing,
})

export const referenceEndpoints = [addReference, changeReference, removeReference]
