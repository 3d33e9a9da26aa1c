import * as v from 'valibot'

import { relative } from './beneficiaries.ts'
import { endpoint } from './endpoint.ts'
import { byId, noneOr, nothing, someText, text } from './wire.ts'

export const readerId = v.nullable(noneOr(someText(64)))

export type Relative = v.InferOutput<typeof relative>

export const addRelative = endpoint({
  name: 'relatives.add',
  method: 'POST',
  path: '/api/beneficiaries/{id}/relatives',
  access: 'BENEFICIARY_EDIT',
  summary: 'Ajouter un proche à un bénéficiaire, sous le nom de celui-ci s’il n’en a pas d’autre',
  params: byId,
  status: 201,
  body: v.strictObject({
    firstname: someText(100),
    lastname: v.optional(text(100), ''),
    reader_id: v.optional(readerId, null),
  }),
  answer: relative,
  addsUp: true,
})

export const updateRelative = endpoint({
  name: 'relatives.update',
  method: 'PUT',
  path: '/api/relatives/{id}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Changer le numéro de lecteur d’un proche',
  params: byId,
  body: v.strictObject({ number: readerId }),
  answer: relative,
})

export const removeRelative = endpoint({
  name: 'relatives.remove',
  method: 'DELETE',
  path: '/api/beneficiaries/{id}/relatives/{relative}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Retirer un proche qui n’a pas de prêt en cours',
  params: v.strictObject({ ...byId.entries, relative: byId.entries.id }),
  status: 204,
  answer: nothing,
})

export const relativeEndpoints = [addRelative, updateRelative, removeRelative]
