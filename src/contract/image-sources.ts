import * as v from 'valibot'

import { imageSources, isImageRule } from '../domain/image-sources.ts'
import { endpoint } from './endpoint.ts'
import { media } from './media.ts'
import { byId, nothing } from './wire.ts'

/** Ours: which sources have an image of a medium's references, in order. */
export const setImageSources = endpoint({
  name: 'media.images_sources.set',
  method: 'PUT',
  path: '/api/media/{id}/images_sources',
  access: 'PARAMETER_IMAGES_SOURCES',
  summary: 'Choisir d’où viennent les images des références d’un support',
  params: byId,
  body: v.strictObject({
    images_sources: v.pipe(
      v.array(v.picklist(imageSources, 'doit être own, bnf, openlibrary ou none')),
      v.minLength(1, 'doit nommer une source'),
      v.maxLength(imageSources.length, 'nomme trop de sources'),
      v.check(
        (rule) => isImageRule(rule),
        'nomme chaque source une fois, «\u00a0own\u00a0» la première et «\u00a0none\u00a0» la dernière',
      ),
    ),
  }),
  answer: media.member,
})

export const removeImageSources = endpoint({
  name: 'media.images_sources.remove',
  method: 'DELETE',
  path: '/api/media/{id}/images_sources',
  access: 'PARAMETER_IMAGES_SOURCES',
  summary: 'Ne plus chercher d’images pour les références d’un support',
  params: byId,
  status: 204,
  answer: nothing,
})

export const imageSourceEndpoints = [setImageSources, removeImageSources]
