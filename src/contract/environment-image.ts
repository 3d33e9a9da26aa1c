import * as v from 'valibot'

import { largestFile } from '../domain/upload-rules.ts'
import { endpoint } from './endpoint.ts'
import { nothing } from './wire.ts'

/** The page converts any other picture before sending it. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** Not among the bound calls: an `<img>` asks for it, before anybody has signed in. */
export const getEnvironmentImage = endpoint({
  name: 'image.get',
  method: 'GET',
  path: '/api/image/env/{environment_id}',
  access: 'public',
  summary: 'L’image de l’organisation, ou celle du logiciel',
  pictures: [...pictureTypes, 'image/svg+xml'],
  answer: v.blob(),
})

export const replaceEnvironmentImage = endpoint({
  name: 'image.replace',
  method: 'POST',
  path: '/api/image/env',
  access: 'PARAMETER_GENERAL',
  summary: 'Donner son image à l’organisation',
  upload: { types: pictureTypes, mostBytes: largestFile },
  answer: v.object({ image: v.string() }),
})

export const removeEnvironmentImage = endpoint({
  name: 'image.remove',
  method: 'DELETE',
  path: '/api/image/env',
  access: 'PARAMETER_GENERAL',
  summary: 'Revenir à l’image du logiciel',
  status: 204,
  answer: nothing,
})

export const environmentImageEndpoints = [replaceEnvironmentImage, removeEnvironmentImage]
