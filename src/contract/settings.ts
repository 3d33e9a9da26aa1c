import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { byId, instant, item, text } from './wire.ts'

export const parameter = item('Parameter', {
  code: v.string(),
  name: v.string(),
  value: v.string(),
  info: v.string(),
  date_update: instant,
})
export type Parameter = v.InferOutput<typeof parameter>

export const listParameters = endpoint({
  name: 'parameters.list',
  method: 'GET',
  path: '/api/parameters',
  access: 'signed-in',
  summary: 'Les paramètres',
  list: {
    filters: { id: filterBy.id, code: filterBy.code, name: filterBy.code },
    orders: ['code', 'id'],
    defaultOrder: ['code', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(parameter),
})

export const updateParameter = endpoint({
  name: 'parameters.update',
  method: 'PUT',
  path: '/api/parameters/{id}',
  access: 'PARAMETER_GENERAL',
  summary: 'Changer un paramètre',
  params: byId,
  body: v.strictObject({ value: text(1000) }),
  answer: parameter,
})

export const site = item('Site', {
  name: v.string(),
  enabled: v.boolean(),
  gestit_id: v.nullable(v.string()),
  bar_codes_configuration: v.object({ siteCode: v.string(), firstValue: v.number() }),
})
export type Site = v.InferOutput<typeof site>

export const listSites = endpoint({
  name: 'sites.list',
  method: 'GET',
  path: '/api/sites',
  access: 'signed-in',
  summary: 'Les sites',
  list: {
    filters: { id: filterBy.id, name: filterBy.text, enabled: filterBy.flag },
    orders: ['name', 'id'],
    defaultOrder: ['name', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(site),
})

export const getSite = endpoint({
  name: 'sites.get',
  method: 'GET',
  path: '/api/sites/{id}',
  access: 'signed-in',
  summary: 'Un site',
  params: byId,
  answer: site,
})

export const reasonTypes = ['delay', 'free'] as const

export const reason = item('Reason', {
  name: v.string(),
  code: v.nullable(v.string()),
  type: v.picklist(reasonTypes),
  enabled: v.boolean(),
  date_update: instant,
})
export type Reason = v.InferOutput<typeof reason>

export const listReasons = endpoint({
  name: 'reasons.list',
  method: 'GET',
  path: '/api/reasons',
  access: 'signed-in',
  summary: 'Les motifs de retard et de gratuité',
  list: {
    filters: {
      id: filterBy.id,
      type: filterBy.choice(reasonTypes),
      enabled: filterBy.flag,
      name: filterBy.text,
      code: filterBy.code,
    },
    orders: ['name', 'id'],
    defaultOrder: ['name', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(reason),
})

export const translation = item('Translation', { code: v.string(), translation: v.string() })
export type Translation = v.InferOutput<typeof translation>

export const listTranslations = endpoint({
  name: 'translations.list',
  method: 'GET',
  path: '/api/translations',
  access: 'signed-in',
  summary: 'Les mots de l’organisation pour ceux du logiciel',
  list: {
    filters: { id: filterBy.id, code: filterBy.code, translation: filterBy.text },
    orders: ['code', 'translation', 'id'],
    defaultOrder: ['code', 'asc'],
  } satisfies ListShape,
  answer: collectionOf(translation),
})

export const settingEndpoints = [
  listParameters,
  updateParameter,
  listSites,
  getSite,
  listReasons,
  listTranslations,
]
