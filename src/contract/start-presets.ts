import * as v from 'valibot'

import { presetCodes, presetParameterCodes } from '../domain/presets/presets.ts'
import { endpoint } from './endpoint.ts'
import { media } from './media.ts'
import { addProfile } from './profiles.ts'
import { atMost, someText, text } from './wire.ts'

/** Codes of sites are given once there are media. */
const presetMedium = v.omit(media.add.body, ['analytic', 'loaning_conditions_file'])

const names = (what: string) => v.optional(atMost(100, what, someText(100)), [])

/** What is laid down keeps the rules of each of its own calls, and asks for its rights. */
export const layPreset = endpoint({
  name: 'start.preset',
  method: 'POST',
  path: '/api/start/preset',
  access: 'PARAMETER_GENERAL',
  summary:
    'Poser les supports, catégories, motifs, contrats et profils d’un modèle, tel qu’il a été retouché',
  body: v.strictObject({
    preset: v.picklist(presetCodes, 'n’est pas un modèle'),
    media: v.optional(atMost(50, 'supports', presetMedium), []),
    categories: names('catégories'),
    delay_reasons: names('motifs de retard'),
    free_reasons: names('motifs de gratuité'),
    contracts: names('contrats'),
    profiles: v.optional(atMost(20, 'profils', addProfile.body), []),
    parameters: v.optional(
      atMost(
        20,
        'paramètres',
        v.strictObject({
          code: v.picklist(presetParameterCodes, 'n’est pas un paramètre des modèles'),
          value: text(1000),
        }),
      ),
      [],
    ),
  }),
  answer: v.object({
    '@type': v.literal('LaidPreset'),
    /** How many of each were not there before. */
    added: v.object({
      media: v.number(),
      categories: v.number(),
      reasons: v.number(),
      contracts: v.number(),
      profiles: v.number(),
      parameters: v.number(),
    }),
  }),
})
