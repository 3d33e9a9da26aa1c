import * as v from 'valibot'

import { rightCodes } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { id, nothing, someText } from './wire.ts'

const password = v.pipe(
  v.string(),
  v.nonEmpty('ne doit pas être vide'),
  v.maxLength(200, 'ne doit pas dépasser 200 caractères'),
)
const token = v.object({ token: v.string() })
const message = v.object({ message: v.string() })
// Any text: a mangled link gets the same answer as a used one.
const linkToken = v.pipe(v.string(), v.maxLength(200, 'ne doit pas dépasser 200 caractères'))

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
  summary: 'Connexion, seconde étape',
  body: v.strictObject({ username: someText(120), password }),
  answer: token,
})

export const logInByLink = endpoint({
  name: 'login_link',
  method: 'POST',
  path: '/api/login_link',
  access: 'public',
  summary: 'Connexion par un lien reçu par courriel',
  body: v.strictObject({ token: linkToken }),
  answer: token,
})

export const logOut = endpoint({
  name: 'logout',
  method: 'POST',
  path: '/api/logout',
  access: 'signed-in',
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
})
export type CurrentUser = v.InferOutput<typeof currentUser>

export const getMe = endpoint({
  name: 'users.me',
  method: 'GET',
  path: '/api/users/me',
  access: 'signed-in',
  summary: 'La personne connectée, ses droits et ses sites',
  answer: currentUser,
})

export const askReset = endpoint({
  name: 'resetting.send_email',
  method: 'POST',
  path: '/resetting/send-email',
  access: 'public',
  summary: 'Demander un lien pour changer un mot de passe oublié',
  bodyType: 'form',
  body: v.strictObject({ username: someText(200) }),
  answer: message,
})

export const resetPassword = endpoint({
  name: 'resetting.reset',
  method: 'POST',
  path: '/resetting/reset/{token}',
  access: 'public',
  summary: 'Choisir un nouveau mot de passe par le lien reçu',
  params: v.strictObject({ token: linkToken }),
  bodyType: 'form',
  body: v.strictObject({ password }),
  answer: message,
})

export const changePassword = endpoint({
  name: 'change_password',
  method: 'POST',
  path: '/api/change-password',
  access: 'signed-in',
  summary: 'Changer son mot de passe',
  body: v.strictObject({ current_password: password, new_password: password }),
  answer: message,
})

export const sessionEndpoints = [
  getDns,
  findEnvironment,
  logIn,
  logInByLink,
  logOut,
  getMe,
  askReset,
  resetPassword,
  changePassword,
]
