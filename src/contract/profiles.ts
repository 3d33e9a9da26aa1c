import * as v from 'valibot'

import { rightCodes } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { atMost, byId, item, nothing, someText } from './wire.ts'

/** In the order of domain/rights.ts; `is_admin` keeps the rights by which all others are given. */
export const profile = item('Profile', {
  name: v.string(),
  rights: v.array(v.picklist(rightCodes)),
  /** Whether its people must have a second factor. */
  second_factor: v.boolean(),
  user_count: v.number(),
  is_admin: v.boolean(),
})
export type Profile = v.InferOutput<typeof profile>

export const listProfiles = endpoint({
  name: 'profiles.list',
  method: 'GET',
  path: '/api/profiles',
  access: ['PARAMETER_LAW', 'LIST_USERS', 'USER_EDIT'],
  summary: 'Les profils et leurs droits',
  list: {
    filters: { id: filterBy.id, name: filterBy.text },
    orders: ['name', 'id'],
    defaultOrder: ['name', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(profile),
})

/** No number: a user's profile is named by its id or by its name. */
const name = v.pipe(someText(60), v.regex(/\D/, 'doit contenir une lettre'))
/** Each once. */
export const rightList = v.pipe(
  atMost(200, 'droits', v.picklist(rightCodes, 'nomme un droit qui n’existe pas')),
  v.transform((codes) => [...new Set(codes)]),
)

export const addProfile = endpoint({
  name: 'profiles.add',
  method: 'POST',
  path: '/api/profiles',
  access: 'PARAMETER_LAW',
  summary: 'Ajouter un profil',
  status: 201,
  body: v.strictObject({ name, rights: v.optional(rightList), second_factor: v.optional(v.boolean()) }),
  answer: profile,
})

export const updateProfile = endpoint({
  name: 'profiles.update',
  method: 'PUT',
  path: '/api/profiles/{id}',
  access: 'PARAMETER_LAW',
  summary:
    'Renommer un profil, changer ses droits ou demander un deuxième facteur ; les droits changent aussitôt pour ceux qui l’ont',
  params: byId,
  body: v.strictObject({
    name: v.optional(name),
    rights: v.optional(rightList),
    second_factor: v.optional(v.boolean()),
  }),
  answer: profile,
})

export const removeProfile = endpoint({
  name: 'profiles.remove',
  method: 'DELETE',
  path: '/api/profiles/{id}',
  access: 'PARAMETER_LAW',
  summary: 'Supprimer un profil que personne n’a',
  params: byId,
  status: 204,
  answer: nothing,
})

/** Its code is its id. */
export const right = v.object({
  '@id': v.string(),
  '@type': v.literal('Right'),
  id: v.string(),
  code: v.string(),
  group_id: v.string(),
  group_name: v.string(),
  label: v.string(),
})

export const listRights = endpoint({
  name: 'rights.list',
  method: 'GET',
  path: '/api/rights',
  access: 'PARAMETER_LAW',
  summary: 'Les droits, par groupe, et ce que chacun permet',
  list: {
    filters: { code: filterBy.code, group_id: filterBy.code, label: filterBy.text },
    orders: ['group_id', 'code', 'label'],
    defaultOrder: ['group_id', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(right),
})

export const profileEndpoints = [listProfiles, addProfile, updateProfile, removeProfile, listRights]
