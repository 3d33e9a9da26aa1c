import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { byId, count, instant, nothing, password, typedFactor } from './wire.ts'
import { user } from './users.ts'

/** Shown once, and kept as a hash. */
const recoveryCodes = v.object({ recovery_codes: v.array(v.string()) })
/** An open session must not be enough. */
const bothProofs = v.strictObject({ password, second_factor: typedFactor })

export const getSecondFactor = endpoint({
  name: 'second_factor.get',
  method: 'GET',
  path: '/api/second_factor',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'Son deuxième facteur',
  answer: v.object({
    /** Null without one. */
    confirmed_at: v.nullable(instant),
    recovery_codes_left: count(0, 100),
    /** Whether the person's profile asks for one. */
    required: v.boolean(),
  }),
})
export type SecondFactor = v.InferOutput<typeof getSecondFactor.answer>

export const startSecondFactor = endpoint({
  name: 'second_factor.start',
  method: 'POST',
  path: '/api/second_factor',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'Préparer un deuxième facteur ; il ne vaut rien avant d’être confirmé',
  answer: v.object({ secret: v.string(), address: v.string() }),
})

export const confirmSecondFactor = endpoint({
  name: 'second_factor.confirm',
  method: 'POST',
  path: '/api/second_factor/confirm',
  access: 'signed-in',
  beforeSetUp: true,
  summary: 'Confirmer son deuxième facteur par un code ; les codes de secours ne sont montrés qu’ici',
  body: bothProofs,
  answer: recoveryCodes,
})

export const renewRecoveryCodes = endpoint({
  name: 'second_factor.renew_codes',
  method: 'POST',
  path: '/api/second_factor/recovery_codes',
  access: 'signed-in',
  summary: 'Recevoir de nouveaux codes de secours ; les précédents ne servent plus',
  body: bothProofs,
  answer: recoveryCodes,
})

export const removeSecondFactor = endpoint({
  name: 'second_factor.remove',
  method: 'DELETE',
  path: '/api/second_factor',
  access: 'signed-in',
  summary: 'Retirer son deuxième facteur',
  body: bothProofs,
  status: 204,
  answer: nothing,
})

export const takeSecondFactorAway = endpoint({
  name: 'users.take_second_factor_away',
  method: 'DELETE',
  path: '/api/users/{id}/second_factor',
  access: 'USER_EDIT',
  summary: 'Retirer le deuxième facteur d’une autre personne, qui est déconnectée aussitôt',
  params: byId,
  answer: user,
})

export const secondFactorEndpoints = [
  getSecondFactor,
  startSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
  takeSecondFactorAway,
]
