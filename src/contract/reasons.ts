import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, resource, switchable } from './resource.ts'
import { instant, someText, text } from './wire.ts'

const reasonTypes = ['delay', 'free'] as const

export const reasons = switchable(
  resource('reasons', 'Reason', {
    words: ['un motif', 'les motifs de retard et de gratuité'],
    changedBy: ['PARAMETER_DELAY', 'PARAMETER_FREE'],
    written: { name: someText(100), code: v.nullish(text(20), null), type: v.picklist(reasonTypes) },
    shown: { name: v.string(), code: v.nullable(v.string()), enabled: v.boolean(), date_update: instant },
    filters: {
      id: filterBy.id,
      type: filterBy.choice(reasonTypes),
      enabled: filterBy.flag,
      name: filterBy.text,
      code: filterBy.code,
    },
    orders: ['name', 'code', 'type', 'enabled', 'date_update', 'id'],
  }),
  'Activer ou désactiver un motif',
)
export type Reason = ItemOf<typeof reasons>
