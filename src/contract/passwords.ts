import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { linkToken, password, someText } from './wire.ts'

const message = v.object({ message: v.string() })

export const askReset = endpoint({
  name: 'resetting.send_email',
  method: 'POST',
  path: '/resetting/send-email',
  access: 'public',
  summary: 'Demander un lien pour changer un mot de passe oublié',
  bodyType: 'form',
  body: v.strictObject({ username: someText(200) }),
  /** `is_mailed` tells of the installation, alike to everybody: where no mail leaves, the link is a file of the server. */
  answer: v.object({ message: v.string(), is_mailed: v.boolean() }),
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

export const choosePassword = endpoint({
  name: 'choose_password',
  method: 'POST',
  path: '/api/choose-password',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'Choisir son premier mot de passe, quand on est entré par une invitation',
  body: v.strictObject({ new_password: password }),
  answer: message,
})

export const passwordEndpoints = [askReset, resetPassword, changePassword, choosePassword]
