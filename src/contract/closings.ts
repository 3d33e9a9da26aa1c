import * as v from 'valibot'

import { acts } from './acts.ts'
import { endpoint } from './endpoint.ts'
import { atMost, count, day, id, linkTo, someText } from './wire.ts'

// Apart from the closures, which every counter reads.

/** The most days over which returns are spread. */
export const longestSpread = 30

const asked = {
  /** Null closes every site. */
  site: v.nullable(linkTo('sites')),
  /** None only moves what falls on days when the site is not open anyway. */
  closures: atMost(60, 'fermetures', v.strictObject({ first_day: day, last_day: day, label: someText(100) })),
  /** Over how many open days what falls due is spread; one is the first of them for all. */
  spread_days: v.optional(count(1, longestSpread)),
}

const moved = v.object({
  id,
  /** The title that is lent, or set aside. */
  name: v.string(),
  site: id,
  from: day,
  to: day,
})

const previewed = v.object({
  loans: v.number(),
  shelf_deadlines: v.number(),
  /** Whom a mail could tell. */
  people: v.number(),
  /** The first of the loans, in the order of their days. */
  rows: v.array(moved),
  /** How much would come back on each day. */
  by_day: v.array(v.object({ day, count: v.number() })),
})
export type ClosingPreview = v.InferOutput<typeof previewed>

export const previewClosing = endpoint({
  name: 'closures.preview',
  method: 'POST',
  path: '/api/closures/preview',
  access: 'PARAMETER_SITE',
  summary: 'Ce que fermer déplacerait\u202f: combien de retours, de quel jour à quel jour',
  body: v.strictObject(asked),
  answer: previewed,
})

/** An act, which a job ends. */
export const close = endpoint({
  name: 'closures.close',
  method: 'POST',
  path: '/api/closures/close',
  access: 'PARAMETER_SITE',
  summary: 'Fermer d’un seul acte\u202f: les jours, les retours déplacés, un courriel par personne',
  body: v.strictObject({ ...asked, mail: v.optional(v.boolean()) }),
  answer: acts.member,
  status: 202,
})

export const closingEndpoints = [previewClosing, close]
