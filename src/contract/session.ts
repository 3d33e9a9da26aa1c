import * as v from 'valibot'

import { rightCodes } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { id, linkToken, nothing, password, someText } from './wire.ts'

const token = v.object({ token: v.string() })

export const getDns = endpoint({
  name: 'dns.get',
  method: 'GET',
  path: '/dns',
  access: 'public',
  summary: 'L’environnement qui répond à cette adresse',
  /** `demonstration`: the accounts that a demonstration shows on its login page. */
  answer: v.object({
    id,
    name: v.string(),
    demonstration: v.optional(v.object({ usernames: v.array(v.string()), password: v.string() })),
  }),
})

export const findEnvironment = endpoint({
  name: 'auth',
  method: 'POST',
  path: '/auth',
  access: 'public',
  summary: 'Connexion, première étape',
  body: v.strictObject({ username: someText(100), password }),
  answer: v.object({ environment_id: id }),
})

export const logIn = endpoint({
  name: 'login_check',
  method: 'POST',
  path: '/api/login_check',
  access: 'public',
  summary:
    'Connexion, seconde étape ; sans le deuxième facteur d’une personne qui en a un, 401 SECOND_FACTOR',
  body: v.strictObject({ username: someText(120), password, second_factor: v.optional(someText(40)) }),
  answer: token,
})

export const logInByLink = endpoint({
  name: 'login_link',
  method: 'POST',
  path: '/api/login_link',
  access: 'public',
  summary: 'Connexion par un lien reçu par courriel',
  body: v.strictObject({ token: linkToken, second_factor: v.optional(someText(40)) }),
  answer: token,
})

export const logOut = endpoint({
  name: 'logout',
  method: 'POST',
  path: '/api/logout',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'Déconnexion',
  status: 204,
  answer: nothing,
})

export const currentUser = v.object({
  '@id': v.string(),
  '@type': v.literal('User'),
  id,
  username: v.string(),
  firstname: v.string(),
  lastname: v.string(),
  email: v.nullable(v.string()),
  role: v.string(),
  rights: v.array(v.picklist(rightCodes)),
  providers: v.array(v.string()),
  sites: v.array(v.object({ id, name: v.string() })),
  /** Where the person worked last, on whichever device; absent where that is not known. */
  usual_site: v.optional(id),
  /** What the person must choose before anything else; absent where nothing is missing. */
  due: v.optional(v.picklist(['password', 'second_factor'])),
})
export type CurrentUser = v.InferOutput<typeof currentUser>

export const getMe = endpoint({
  name: 'users.me',
  method: 'GET',
  path: '/api/users/me',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'La personne connectée, ses droits et ses sites',
  answer: currentUser,
})

export const sessionEndpoints = [getDns, findEnvironment, logIn, logInByLink, logOut, getMe]
