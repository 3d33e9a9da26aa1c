import { sql } from 'kysely'

import { categories } from '../../src/contract/categories.ts'
import { describeResource } from '../support/describe-resource.ts'

describeResource(categories, {
  one: { name: 'Polar scandinave' },
  other: { name: 'Récits de mer' },
  unique: 'name',
  use: ({ db }, id, count) => sql`update "references" set category = ${id} where id <= ${count}`.execute(db),
})
