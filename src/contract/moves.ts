import * as v from 'valibot'

import { categories } from './categories.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { locations } from './locations.ts'
import { byId, linkTo } from './wire.ts'

// Ours: what is of one may pass to another, so that the first can be deleted.

const moved = v.object({ count: v.number() })

export const moveCategory = endpoint({
  name: 'categories.move',
  method: 'POST',
  path: '/api/categories/{id}/move',
  access: categories.change.access,
  summary: 'Faire passer les références d’une catégorie à une autre',
  params: byId,
  body: v.strictObject({ into: linkTo('categories') }),
  answer: moved,
})

export const moveLocation = endpoint({
  name: 'locations.move',
  method: 'POST',
  path: '/api/locations/{id}/move',
  access: locations.change.access,
  summary: 'Ranger à un autre emplacement les exemplaires d’un emplacement',
  params: byId,
  body: v.strictObject({ into: linkTo('locations') }),
  answer: moved,
})

export const moveEndpoints: readonly Endpoint[] = [moveCategory, moveLocation]
