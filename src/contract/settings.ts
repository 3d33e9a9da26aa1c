import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, instant, text } from './wire.ts'

/** File 1: « GET parameters by name ». */
export const parameters = listed('parameters', 'Parameter', {
  words: ['un paramètre', 'les paramètres'],
  shown: { code: v.string(), name: v.string(), value: v.string(), info: v.string(), date_update: instant },
  filters: { id: filterBy.id, code: filterBy.code, name: filterBy.code },
  orders: ['code', 'id'],
})
export type Parameter = ItemOf<typeof parameters>

export const updateParameter = endpoint({
  name: 'parameters.update',
  method: 'PUT',
  path: '/api/parameters/{id}',
  access: 'PARAMETER_GENERAL',
  summary: 'Changer un paramètre',
  params: byId,
  body: v.strictObject({ value: text(1000) }),
  answer: parameters.member,
})

export const sites = listed('sites', 'Site', {
  words: ['un site', 'les sites'],
  shown: {
    name: v.string(),
    enabled: v.boolean(),
    gestit_id: v.nullable(v.string()),
    bar_codes_configuration: v.object({ siteCode: v.string(), firstValue: v.number() }),
  },
  filters: { id: filterBy.id, name: filterBy.text, enabled: filterBy.flag },
  orders: ['name', 'id'],
})
export type Site = ItemOf<typeof sites>

export const getSite = endpoint({
  name: 'sites.get',
  method: 'GET',
  path: '/api/sites/{id}',
  access: 'signed-in',
  summary: 'Un site',
  params: byId,
  answer: sites.member,
})

export const translations = listed('translations', 'Translation', {
  words: ['un mot', 'les mots de l’organisation pour ceux du logiciel'],
  shown: { code: v.string(), translation: v.string() },
  filters: { id: filterBy.id, code: filterBy.code, translation: filterBy.text },
  orders: ['code', 'translation', 'id'],
})
export type Translation = ItemOf<typeof translations>

export const settingEndpoints = [parameters.list, updateParameter, sites.list, getSite, translations.list]
