import * as v from 'valibot'

import { largestFile } from '../domain/upload-rules.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { collectionOf, filterBy } from './list.ts'
import { media } from './media.ts'
import { endpointsOf } from './resource.ts'
import { byId, id, linkTo, someText } from './wire.ts'

// Apart from the list, which the counter reads before anything else.

/** The specification writes this one address in the singular. */
export const uploadConditions = endpoint({
  name: 'media.upload',
  method: 'POST',
  path: '/api/medium/{id}/upload',
  access: 'PARAMETER_MEDIUM',
  summary: 'Donner à un support le fichier de ses conditions de prêt',
  params: byId,
  upload: { types: ['application/pdf'], mostBytes: largestFile },
  answer: media.member,
})

export const getConditions = endpoint({
  name: 'media.conditions',
  method: 'GET',
  path: '/api/media/{id}/conditions',
  access: 'signed-in',
  summary: 'Les conditions de prêt d’un support',
  params: byId,
  query: v.strictObject({ version: v.optional(someText(64)) }),
  files: ['pdf'],
  answer: download,
})

/** Those that a loan was made under, for whoever sees the loan. */
export const getConditionsOfLoan = endpoint({
  name: 'loanings.conditions',
  method: 'GET',
  path: '/api/loanings/{id}/conditions',
  access: 'LIST_LOANINGS',
  summary: 'Les conditions de prêt sous lesquelles un prêt a été fait',
  params: byId,
  files: ['pdf'],
  answer: download,
})

/**
 * The same for a reader, from the link in their mail: nobody comes by the version but through a mail or the file itself.
 * It opens them as long as a medium has them, or a loan under them is open or came back a month ago at most.
 */
export const getConditionsSent = endpoint({
  name: 'media.conditions_sent',
  method: 'GET',
  path: '/api/conditions/{version}',
  access: 'public',
  summary: 'Les conditions de prêt, par le lien d’un courriel',
  params: v.strictObject({ version: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'doit être une version')) }),
  files: ['pdf'],
  answer: download,
})

/** Ours: what is of a medium may pass to another, so that the first can be deleted. */
export const moveReferences = endpoint({
  name: 'media.move',
  method: 'POST',
  path: '/api/media/{id}/move',
  access: 'PARAMETER_MEDIUM',
  summary: 'Faire passer les références d’un support à un autre',
  params: byId,
  body: v.strictObject({ medium: linkTo('media') }),
  answer: media.member,
})

const named = v.object({ id, name: v.string() })

export const listAnalytics = endpoint({
  name: 'analytic.list',
  method: 'GET',
  path: '/api/analytic',
  access: 'signed-in',
  summary: 'Les codes analytiques, par support et par site',
  list: {
    filters: { medium: filterBy.id, site: filterBy.id, analytic: filterBy.code },
    orders: ['medium', 'site', 'analytic'],
    defaultOrder: ['medium', 'asc'],
  },
  answer: collectionOf(
    v.object({
      '@id': v.string(),
      '@type': v.literal('Analytic'),
      id: v.string(),
      medium: named,
      site: named,
      analytic: v.string(),
    }),
  ),
})

export const mediumEndpoints: readonly Endpoint[] = [
  ...endpointsOf(media),
  uploadConditions,
  getConditions,
  getConditionsOfLoan,
  getConditionsSent,
  moveReferences,
  listAnalytics,
]
