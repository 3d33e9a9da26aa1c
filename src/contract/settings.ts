import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { atMost, byId, instant, linkTo, someText, text } from './wire.ts'

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

/** Global parameters are saved together, each by its code or its id; what else an item holds says nothing. */
export const updateParameters = endpoint({
  name: 'parameters.update_all',
  method: 'POST',
  path: '/api/parameters/update',
  access: 'PARAMETER_GENERAL',
  summary: 'Changer plusieurs paramètres, tous ou aucun',
  body: v.pipe(
    atMost(
      100,
      'paramètres',
      v.pipe(
        v.object({
          code: v.optional(text(100)),
          id: v.optional(linkTo('parameters')),
          value: text(1000),
        }),
        v.check(
          ({ code, id }) => code !== undefined || id !== undefined,
          'doit nommer un paramètre, par son code ou son identifiant',
        ),
      ),
    ),
    v.minLength(1, 'doit nommer un paramètre'),
  ),
  answer: collectionOf(parameters.member),
})

const gender = v.picklist(['m', 'f'], 'doit être «\u00a0m\u00a0» ou «\u00a0f\u00a0»')

/** What the screens say instead of a word of the software (domain/delivered-words.ts). */
export const translations = listed('translations', 'Translation', {
  words: ['un mot', 'les mots de l’organisation pour ceux du logiciel'],
  shown: { code: v.string(), translation: v.string(), gender, delivered: v.string() },
  filters: {
    id: filterBy.id,
    code: filterBy.code,
    translation: filterBy.text,
    searchname: filterBy.search,
  },
  orders: ['delivered', 'code', 'translation', 'id'],
})
export type Translation = ItemOf<typeof translations>

/** Without a gender the word keeps the one that it has. */
export const changeTranslation = endpoint({
  name: 'translations.change',
  method: 'PUT',
  path: '/api/translations/{id}',
  access: 'PARAMETER_TRANSLATIONS',
  summary: 'Changer un mot de l’organisation',
  params: byId,
  body: v.strictObject({ translation: someText(100), gender: v.optional(gender) }),
  answer: translations.member,
})

export const settingEndpoints = [
  parameters.list,
  updateParameter,
  updateParameters,
  translations.list,
  changeTranslation,
]
