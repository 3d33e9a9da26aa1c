import * as v from 'valibot'

import { type OutsideSource, outsideSources } from '../domain/image-sources.ts'
import { referenceDataNames, tagNames } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { someText } from './wire.ts'

/** Who says a field, as it is shown beside it. */
export const lookUpSources: Record<OutsideSource, string> = { bnf: 'BnF', openlibrary: 'Open Library' }
export type LookUpSource = OutsideSource
const source = v.picklist(outsideSources)

/** What the sources know of a code, in the form's own fields; `sources` says whose each is (`tags.author`). */
export const foundReference = v.object({
  code: v.string(),
  name: v.string(),
  description: v.string(),
  tags: v.record(v.picklist(tagNames), v.string()),
  reference_data: v.record(v.picklist(referenceDataNames), v.string()),
  sources: v.record(v.string(), source),
  /** Who may have a cover of it, the one to ask first before the others. */
  covers: v.array(source),
})
export type FoundReference = v.InferOutput<typeof foundReference>

/** 404 only when every source answered that it does not know the code, 502 when it cannot be told. */
export const lookUpCode = endpoint({
  name: 'external_codes.get',
  method: 'GET',
  path: '/api/external_codes/{code}',
  access: ['COPY_CREATEREF', 'REFERENCE_EDIT'],
  summary: 'Ce que la BnF puis Open Library savent d’un ISBN ou d’un EAN',
  params: v.strictObject({ code: someText(40) }),
  answer: foundReference,
})

/** What the source told when the code was looked up; 404 where it has none after all. */
export const getFoundImage = endpoint({
  name: 'external_codes.image',
  method: 'GET',
  path: '/api/external_codes/{code}/image',
  access: ['COPY_CREATEREF', 'REFERENCE_EDIT'],
  summary: 'L’image qu’une source donne d’un code déjà cherché',
  params: v.strictObject({ code: someText(40) }),
  query: v.strictObject({ source }),
  pictures: ['image/webp'],
  answer: v.blob(),
})
