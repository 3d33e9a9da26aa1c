import * as v from 'valibot'

import { largestFile } from '../domain/upload-rules.ts'
import { endpoint } from './endpoint.ts'
import { pictureTypes } from './environment-image.ts'
import { reference } from './catalogue.ts'
import { byId } from './wire.ts'

/** Beside a line of a list, and at the head of a page. */
const coverSizes = ['small', 'large'] as const
export type CoverSize = (typeof coverSizes)[number]

const coverVersion = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'n’est pas une version'))

/** Kept for ever under its version; without one, a session is asked for. */
export const getReferenceImage = endpoint({
  name: 'references.image',
  method: 'GET',
  path: '/api/image/references/{id}',
  access: 'signed-in',
  summary: 'L’image d’une référence, à l’adresse que donne «\u00a0image_path\u00a0» ou avec une session',
  params: byId,
  query: v.strictObject({ v: v.optional(coverVersion), size: v.optional(v.picklist(coverSizes), 'large') }),
  pictures: ['image/webp'],
  answer: v.blob(),
})

/** Who may only add references gives an image to those that have none. */
export const replaceReferenceImage = endpoint({
  name: 'references.image.replace',
  method: 'POST',
  path: '/api/references/{id}/image',
  access: ['REFERENCE_EDIT', 'COPY_CREATEREF'],
  summary: 'Donner son image à une référence',
  params: byId,
  upload: { types: pictureTypes, mostBytes: largestFile },
  answer: reference,
})

export const referenceImageEndpoints = [getReferenceImage, replaceReferenceImage]
