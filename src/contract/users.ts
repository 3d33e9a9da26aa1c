import * as v from 'valibot'

import { rightCodes } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { rightList } from './profiles.ts'
import {
  atMost,
  byId,
  email,
  id,
  instant,
  item,
  linkTo,
  password,
  someText,
  text,
  typedFactor,
} from './wire.ts'

/** `role` is the profile's name; no site is every site. */
export const user = item('User', {
  username: v.string(),
  firstname: v.string(),
  lastname: v.string(),
  email: v.nullable(v.string()),
  role: v.string(),
  /** What they may do: the profile's rights, with those that are theirs beside and without those taken away. */
  rights: v.array(v.picklist(rightCodes)),
  added_rights: v.array(v.picklist(rightCodes)),
  removed_rights: v.array(v.picklist(rightCodes)),
  providers: v.array(v.string()),
  sites: v.array(v.object({ id, name: v.string() })),
  enabled: v.boolean(),
  /** Null for whoever never signed in. */
  last_used_at: v.nullable(instant),
  /** Whether a code is asked of them beside their password. */
  second_factor: v.boolean(),
  /** Whether they were invited, and have not chosen a password yet. */
  awaits_password: v.boolean(),
  /** Whether the caller may change this account. */
  may_change: v.boolean(),
})
export type User = v.InferOutput<typeof user>

const userList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    username: filterBy.text,
    email: filterBy.text,
    role: filterBy.id,
    site: filterBy.id,
    enabled: filterBy.flag,
    /** Whose rights differ from the profile's. */
    own_rights: filterBy.flag,
  },
  orders: ['name', 'username', 'email', 'role', 'enabled', 'last_used_at', 'id'],
  defaultOrder: ['name', 'asc'],
} as const satisfies ListShape

export const listUsers = endpoint({
  name: 'users.list',
  method: 'GET',
  path: '/api/users',
  access: ['LIST_USERS', 'USER_EDIT'],
  summary: 'Les utilisateurs de ses sites',
  list: userList,
  answer: collectionOf(user),
})

/** A profile by its id, its link or its name. */
const role = v.union(
  [linkTo('profiles'), someText(100)],
  'doit être un profil, par son identifiant ou par son nom',
)
const username = v.pipe(someText(100), v.regex(/^[^@]*$/, 'ne doit pas contenir d’arobase'))
const others = {
  firstname: v.optional(text(100)),
  lastname: v.optional(text(100)),
  email: v.optional(email),
  sites: v.optional(atMost(500, 'sites', linkTo('sites'))),
  enabled: v.optional(v.boolean()),
  password: v.optional(password),
  /** All that they may do; what differs from the profile's is theirs, and stays so under another profile. */
  rights: v.optional(rightList),
}

export const addUser = endpoint({
  name: 'users.add',
  method: 'POST',
  path: '/api/users',
  access: 'USER_EDIT',
  summary:
    'Ajouter un utilisateur ; sans mot de passe, il reçoit un lien de connexion par courriel ou, sans adresse, celui de users.invitation_link',
  status: 201,
  body: v.strictObject({ username, role, ...others }),
  secrets: ['password'],
  answer: user,
})

export const updateUser = endpoint({
  name: 'users.update',
  method: 'PUT',
  path: '/api/users/{id}',
  access: 'USER_EDIT',
  summary:
    'Modifier un utilisateur ; désactivé, il est déconnecté aussitôt. Qui change son propre courriel donne aussi son mot de passe, et son code s’il a un deuxième facteur',
  params: byId,
  body: v.strictObject({
    username: v.optional(username),
    role: v.optional(role),
    ...others,
    current_password: v.optional(password),
    second_factor: v.optional(typedFactor),
  }),
  secrets: ['password', 'current_password', 'second_factor'],
  answer: user,
})

export const inviteUser = endpoint({
  name: 'users.invite',
  method: 'POST',
  path: '/api/users/{id}/invite',
  access: 'USER_EDIT',
  summary: 'Envoyer à un utilisateur un nouveau lien de connexion',
  params: byId,
  status: 202,
  answer: user,
})

export const linkToInvite = endpoint({
  name: 'users.invitation_link',
  method: 'POST',
  path: '/api/users/{id}/invitation_link',
  access: 'USER_EDIT',
  summary:
    'Un nouveau lien par lequel une personne choisit son premier mot de passe, à lui remettre soi-même',
  params: byId,
  answer: v.object({ link: v.string() }),
})

export const userEndpoints = [listUsers, addUser, updateUser, inviteUser, linkToInvite]
