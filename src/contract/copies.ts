import * as v from 'valibot'

import { copy, copyTypes } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf } from './list.ts'
import { copyState } from './loans.ts'
import { atMost, byId, count, dayOr, linkTo, money, nothing, someText, text } from './wire.ts'

/** Beyond it a bar code is no longer printed legibly. */
const barCode = someText(64)

/** A field that is not sent stays; null empties it, and a price of null is the reference's. */
const written = {
  bar_code: barCode,
  state: v.optional(copyState),
  location: v.optional(v.nullable(linkTo('locations'))),
  buy_date: v.optional(v.nullable(dayOr(null))),
  cycle_type: v.optional(v.nullable(v.picklist(['DAY', 'WEEK', 'MONTH']))),
  cycle_value: v.optional(v.nullable(count(1, 1000))),
  price: v.optional(v.nullable(money)),
  type: v.optional(v.picklist(copyTypes)),
}

export const addCopy = endpoint({
  name: 'copies.add',
  method: 'POST',
  path: '/api/copies',
  access: 'COPY_CREATECOPY',
  summary: 'Ajouter un exemplaire',
  status: 201,
  body: v.strictObject({
    ...written,
    /** Without it, the next one of the site. */
    bar_code: v.optional(barCode),
    reference: linkTo('references'),
    site: linkTo('sites'),
  }),
  answer: copy,
})

/** How many may be added together: what one person can label without a pause. */
export const mostAdded = 50

const { bar_code: _bar_code, ...likeEachOther } = written

export const addCopies = endpoint({
  name: 'copies.add_several',
  method: 'POST',
  path: '/api/copies/several',
  access: 'COPY_CREATECOPY',
  summary: 'Ajouter plusieurs exemplaires pareils\u202f: tous, ou aucun',
  status: 201,
  body: v.strictObject({
    ...likeEachOther,
    /** That many take the next codes of the site; or their codes are said, one each. */
    count: v.optional(count(1, mostAdded)),
    bar_codes: v.optional(atMost(mostAdded, 'codes-barres', barCode)),
    reference: linkTo('references'),
    site: linkTo('sites'),
  }),
  answer: collectionOf(copy),
})

/** Whether a copy may be lent, where it is neither on loan nor on its way. */
const availabilities = ['Disponible', 'Non Disponible'] as const

export const changeCopy = endpoint({
  name: 'copies.change',
  method: 'PUT',
  path: '/api/copies/{id}',
  access: ['COPY_MODIFY', 'COPY_TRANSFER', 'LIST_TRANSFERS'],
  summary:
    'Modifier un exemplaire ou, par `status`, sa disponibilité\u202f; par `site`, l’envoyer, et par `status` encore, confirmer son arrivée',
  params: byId,
  body: v.strictObject({
    ...v.partial(v.object(written)).entries,
    status: v.optional(v.picklist(availabilities, 'doit être Disponible ou Non Disponible')),
    /** Where it is sent, alone in its body; where it was sent from, it is taken back. */
    site: v.optional(linkTo('sites')),
  }),
  answer: copy,
})

export const removeCopy = endpoint({
  name: 'copies.remove',
  method: 'DELETE',
  path: '/api/copies/{id}',
  access: 'COPY_DELETE',
  summary: 'Retirer un exemplaire du fonds, avec son motif s’il est dit',
  params: byId,
  query: v.strictObject({ reason: v.optional(text(200)) }),
  status: 204,
  answer: nothing,
})

export const copyEndpoints = [addCopy, addCopies, changeCopy, removeCopy]
