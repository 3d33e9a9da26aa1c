import { sql } from 'kysely'

import { locations } from '../../src/contract/locations.ts'
import { describeResource } from '../support/describe-resource.ts'

describeResource(locations, {
  one: { label: 'Armoire haute' },
  other: { label: 'Réserve du sous-sol' },
  unique: 'label',
  use: ({ db }, id, count) => sql`update copies set location = ${id} where id <= ${count}`.execute(db),
})
