import * as v from 'valibot'

import {
  cartVerdicts,
  idleChoices,
  moreThanChoices,
  weedingReasonCodes,
  weedingStopCodes,
} from '../domain/weeding.ts'
import { acts } from './acts.ts'
import { copy } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { copyState } from './loans.ts'
import { type ItemOf, listed } from './resource.ts'
import { atMost, byId, day, id, instant, item, someText, text } from './wire.ts'

const access = 'COPY_DELETE'

const reason = v.picklist(weedingReasonCodes, `doit être ${weedingReasonCodes.join(', ')}`)

const of = copy.entries
const told = {
  bar_code: of.bar_code,
  name: of.name,
  author: v.nullable(v.string()),
  reference: of.reference,
  image_path: v.nullable(v.string()),
  category: of.category,
  medium: of.medium,
  call_number: v.nullable(v.string()),
  location_label: of.location_label,
  site: of.site,
  site_name: of.site_name,
  state: of.state,
  state_name: of.state_name,
  status_name: of.status_name,
  buy_date: of.buy_date,
  price: of.price,
  loans: v.number(),
  /** The day of its last loan. */
  last_loan: v.nullable(day),
  /** Of this title at its site, with this one. */
  copies: v.number(),
  stopped: v.nullable(v.picklist(weedingStopCodes)),
  /** Somebody waits for the title, and no copy of it would be left beside those of the cart. */
  is_last_awaited: v.boolean(),
}

const examined = item('WeedingCopy', { ...told, in_cart: v.boolean() })
export type ExaminedCopy = v.InferOutput<typeof examined>

const choiceOf = <const V extends readonly string[]>(values: V) =>
  ({ type: 'choice', operators: ['eq'], values }) as const

const weedingList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    category: filterBy.id,
    medium: filterBy.id,
    location: filterBy.id,
    site: filterBy.id,
    state: filterBy.choice(copyState.options),
    buy_date: filterBy.day,
    last_loan: filterBy.day,
    idle: choiceOf(idleChoices),
    /** More copies of its title than so many stand at its site. */
    more_than: choiceOf(moreThanChoices),
    in_cart: filterBy.flag,
  },
  orders: ['last_loan', 'name', 'bar_code', 'buy_date', 'id'],
  defaultOrder: ['last_loan', 'asc'],
} as const satisfies ListShape

export const listWeeding = endpoint({
  name: 'weeding.list',
  method: 'GET',
  path: '/api/weeding',
  access,
  summary: 'Les exemplaires à examiner pour un désherbage, ceux que personne n’a empruntés d’abord',
  list: weedingList,
  answer: collectionOf(examined),
})

const line = item('WeedingLine', {
  ...told,
  /** The search that chose it; empty where none did. */
  why: v.string(),
  /** Read among the shelves, and not chosen in a list. */
  is_scanned: v.boolean(),
  /** Its own; null for that of the whole cart. */
  reason: v.nullable(reason),
  who: v.string(),
  added_at: instant,
})
/** A copy of the cart, by the copy's own number. */
export type CartLine = v.InferOutput<typeof line>

export const listCart = endpoint({
  name: 'weeding.cart',
  method: 'GET',
  path: '/api/weeding/cart',
  access,
  summary: 'Le panier du désherbage, le même pour toutes les personnes d’un site',
  list: {
    filters: { id: filterBy.id, searchname: filterBy.search, stopped: filterBy.flag },
    orders: ['added_at', 'name', 'bar_code', 'id'],
    defaultOrder: ['added_at', 'desc'],
  } satisfies ListShape,
  answer: v.object({
    ...collectionOf(line).entries,
    /** Of the whole cart: how many cannot leave as they are, and what all of them are worth. */
    stopped: v.number(),
    value: v.string(),
  }),
})

export const mostPut = 500

export const putInCart = endpoint({
  name: 'weeding.put',
  method: 'POST',
  path: '/api/weeding/cart',
  access,
  summary: 'Mettre des exemplaires dans le panier du désherbage',
  body: v.strictObject({
    copies: v.pipe(atMost(mostPut, 'exemplaires', id), v.nonEmpty('ne doit pas être vide')),
    why: v.optional(text(200), ''),
  }),
  /** `out`: on loan or on their way, and left where they are. */
  answer: v.object({ added: v.number(), already: v.number(), out: v.number() }),
})

export const scanIntoCart = endpoint({
  name: 'weeding.scan',
  method: 'POST',
  path: '/api/weeding/cart/scan',
  access,
  summary: 'Mettre dans le panier du désherbage l’exemplaire qui vient d’être lu',
  body: v.strictObject({
    /** The forms in which a label may say the code. */
    codes: v.pipe(atMost(20, 'codes', someText(100)), v.nonEmpty('ne doit pas être vide')),
  }),
  answer: v.object({
    verdict: v.picklist(cartVerdicts),
    copy: v.nullable(id),
    /** Null of what is not known or stands at a closed site. */
    name: v.nullable(v.string()),
    site_name: v.nullable(v.string()),
    /** Who had put it in already. */
    who: v.nullable(v.string()),
  }),
})
export type CartScan = v.InferOutput<typeof scanIntoCart.answer>

export const changeLine = endpoint({
  name: 'weeding.change',
  method: 'PUT',
  path: '/api/weeding/cart/{id}',
  access,
  summary: 'Dire la destination d’un exemplaire du panier, s’il en a une autre que le reste',
  params: byId,
  body: v.strictObject({ reason: v.nullable(reason) }),
  answer: line,
})

export const takeOut = endpoint({
  name: 'weeding.take_out',
  method: 'DELETE',
  path: '/api/weeding/cart/{id}',
  access,
  summary: 'Ôter un exemplaire du panier du désherbage',
  params: byId,
  answer: v.null(),
  status: 204,
})

export const withdrawCart = endpoint({
  name: 'weeding.withdraw',
  method: 'POST',
  path: '/api/weeding/withdraw',
  access,
  summary:
    'Retirer du fonds ce qui est dans le panier, en un acte qui s’annule\u202f: ce qui est en prêt, en transfert ou réservé y reste',
  body: v.strictObject({
    reason,
    /** Of the cart's; all of them unless said. */
    copies: v.optional(v.pipe(atMost(mostPut, 'exemplaires', id), v.nonEmpty('ne doit pas être vide'))),
  }),
  answer: acts.member,
  status: 202,
})

/** What was withdrawn at once, for as long as it has not been undone. */
export const weedings = listed('weedings', 'Weeding', {
  words: ['un désherbage', 'les désherbages faits'],
  listedBy: access,
  shown: {
    withdrawn_on: day,
    who: v.string(),
    copies: v.number(),
    value: v.string(),
    reasons: v.array(reason),
    act: id,
  },
  filters: { id: filterBy.id, withdrawn_on: filterBy.day },
  orders: ['withdrawn_on', 'id'],
  defaultDirection: 'desc',
})
export type Weeding = ItemOf<typeof weedings>

export const exportWeeding = endpoint({
  name: 'weeding.export',
  method: 'GET',
  path: '/api/export/weeding',
  access,
  summary:
    'La liste du panier ou d’un désherbage fait, pour la délibération (pdf) ou dans un tableur (xlsx, csv)',
  query: v.strictObject({
    export_type: v.optional(v.picklist(['pdf', 'xlsx', 'csv'], 'doit être pdf, xlsx, csv'), 'pdf'),
    /** One that was done; the cart unless said. */
    weeding: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number))),
    /** Where what has no destination of its own goes. */
    reason: v.optional(reason),
    /** Of the deliberation, as the council numbers it. */
    number: v.optional(text(60)),
    decided_on: v.optional(day),
  }),
  files: ['pdf', 'xlsx', 'csv'],
  answer: download,
})

export const weedingEndpoints = [
  listWeeding,
  listCart,
  putInCart,
  scanIntoCart,
  changeLine,
  takeOut,
  withdrawCart,
  weedings.list,
  exportWeeding,
]
