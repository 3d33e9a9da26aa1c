import * as v from 'valibot'

import { filterBy } from './list.ts'
import { type ItemOf, resource, switchable } from './resource.ts'
import { instant, someText } from './wire.ts'

export const keywords = switchable(
  resource('keywords', 'Keyword', {
    words: ['un mot-clé', 'les mots-clés'],
    changedBy: 'PARAMETER_KEYWORD',
    written: { name: someText(100) },
    // Names that came in a file may be longer.
    shown: { name: v.string(), ref_count: v.number(), enabled: v.boolean(), date_update: instant },
    filters: { id: filterBy.id, name: filterBy.text, enabled: filterBy.flag },
    orders: ['name', 'ref_count', 'enabled', 'date_update', 'id'],
  }),
  'Activer ou désactiver un mot-clé',
)
export type Keyword = ItemOf<typeof keywords>
