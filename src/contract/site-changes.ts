import * as v from 'valibot'

import { labelSymbologies } from '../domain/label-symbologies.ts'
import { endpoint } from './endpoint.ts'
import { sites } from './sites.ts'
import { byId, count, someText, text } from './wire.ts'

// Apart from the list, which every page reads before anything else.

const siteCode = v.pipe(
  text(20),
  v.regex(/^[\x21-\x7e]*$/, 'n’a que des lettres sans accent, des chiffres et des signes, sans espace'),
)
const firstValue = v.pipe(
  v.union([v.string(), v.number()], 'doit être un nombre, écrit avec ses zéros'),
  v.transform(String),
  v.regex(/^\d{1,12}$/, 'doit être un nombre de 12 chiffres au plus, écrit avec ses zéros'),
)
const symbology = v.optional(v.picklist(labelSymbologies, `doit être ${labelSymbologies.join(', ')}`))
const configuration = v.strictObject({ siteCode, firstValue, symbology })

const openWeekdays = v.pipe(
  v.array(count(1, 7)),
  v.minLength(1, 'doit compter au moins un jour ouvert'),
  v.check((days) => new Set(days).size === days.length, 'ne doit pas nommer deux fois un jour'),
  v.transform((days) => days.toSorted((a, b) => a - b)),
)

export const getSite = endpoint({
  name: 'sites.get',
  method: 'GET',
  path: '/api/sites/{id}',
  access: 'signed-in',
  summary: 'Un site',
  params: byId,
  answer: sites.member,
})

const written = {
  name: someText(100),
  enabled: v.optional(v.boolean()),
  gestit_id: v.optional(
    v.nullable(
      v.pipe(
        text(50),
        v.transform((given) => (given === '' ? null : given)),
      ),
    ),
  ),
  bar_codes_configuration: v.optional(configuration),
  open_weekdays: v.optional(openWeekdays),
  weekly_minutes: v.optional(v.nullable(count(0, 7 * 24 * 60))),
}

export const addSite = endpoint({
  name: 'sites.add',
  method: 'POST',
  path: '/api/sites',
  access: 'PARAMETER_SITE',
  summary: 'Ajouter un site',
  body: v.strictObject(written),
  answer: sites.member,
  status: 201,
})

/** A site is never deleted, only put out of service: its copies, loans and readers remain. */
export const changeSite = endpoint({
  name: 'sites.change',
  method: 'PUT',
  path: '/api/sites/{id}',
  access: 'PARAMETER_SITE',
  summary: 'Changer un site, le mettre en service ou hors service',
  params: byId,
  body: v.partial(v.strictObject(written)),
  answer: sites.member,
})

export const getNextBarCode = endpoint({
  name: 'sites.next_bar_code',
  method: 'GET',
  path: '/api/sites/{id}/next_bar_code',
  access: ['COPY_CREATECOPY', 'COPY_CREATEREF', 'BARCODE_PRINT', 'PARAMETER_SITE'],
  summary: 'Le prochain code-barres libre d’un site, qui n’est pas retenu',
  params: byId,
  answer: v.object({ bar_code: v.string() }),
})

/** Ours: the codes that a numbering would give, before it is saved. */
export const sampleBarCodes = endpoint({
  name: 'sites.sample_bar_codes',
  method: 'GET',
  path: '/api/bar_codes/sample',
  access: 'PARAMETER_SITE',
  summary: 'Les trois prochains codes qu’une numérotation donnerait',
  query: v.strictObject({ siteCode, firstValue, symbology, site: v.optional(byId.entries.id) }),
  answer: v.object({ bar_codes: v.array(v.string()) }),
})

export const siteEndpoints = [sites.list, getSite, addSite, changeSite, getNextBarCode, sampleBarCodes]
