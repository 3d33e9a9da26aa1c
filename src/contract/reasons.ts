import { noun } from '../domain/noun.ts'
import { described } from './described.ts'
import { choice, code, stamped, switched, text } from './field-kinds.ts'
import type { ItemOf } from './resource.ts'

/** Of two kinds, each with its screen and its right. */
export const reasons = described('reasons', 'Reason', {
  noun: noun('motif', 'm'),
  title: 'Motifs',
  purpose: 'Désactivé, un motif reste sur les prêts qui le portent.',
  example: 'Vacances',
  changedBy: ['PARAMETER_DELAY', 'PARAMETER_FREE'],
  fields: {
    name: text('Nom', 100, {
      archived: { about: 'Son nom.' },
      taken: 'Un motif de cette sorte porte déjà ce nom.',
    }),
    code: code('Code', 20, { archived: { about: 'Un code à soi.' } }),
    type: choice(
      'Type',
      { delay: 'Retard', free: 'Gratuité' },
      { archived: { about: 'delay (retard) ou free (gratuité).' } },
    ),
    enabled: switched(),
    date_update: stamped('Modifié le'),
  },
  inUse: {
    one: 'Un prêt porte ce motif\u202f: désactivez-le plutôt, il ne sera plus proposé.',
    many: 'prêts portent ce motif\u202f: désactivez-le plutôt, il ne sera plus proposé.',
  },
  archive: { file: 'motifs.csv', about: 'Les motifs de retard et de gratuité.' },
})
export type Reason = ItemOf<typeof reasons>
