import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { loanTerms } from './loans.ts'
import { byId, day, id, instant, item, linkTo, nothing } from './wire.ts'

export const sale = item('Sale', {
  /** Null once the reader was forgotten. */
  beneficiary: v.nullable(id),
  beneficiary_info: v.string(),
  /** « Alice Martin (M1) ». */
  beneficiary_name: v.string(),
  relative: v.nullable(v.object({ id, name: v.string() })),
  copy: id,
  copy_barcode: v.string(),
  reference: id,
  reference_name: v.string(),
  category: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  site: id,
  site_name: v.string(),
  date: day,
  price: v.string(),
  free: v.boolean(),
  free_reason: v.nullable(v.object({ id, name: v.string() })),
  comment: v.string(),
  sold_at: instant,
  sold_by: v.nullable(v.string()),
})
export type Sale = v.InferOutput<typeof sale>

export const saleList = {
  filters: {
    id: filterBy.id,
    benefsearchname: filterBy.search,
    copysearchname: filterBy.search,
    date: filterBy.day,
    beneficiary: filterBy.id,
    reference: filterBy.id,
    copy: filterBy.id,
    category: filterBy.id,
    medium: filterBy.id,
    site: filterBy.id,
  },
  orders: ['date', 'beneficiary_lastname', 'reference_name', 'category', 'price', 'id'],
  defaultOrder: ['date', 'desc'],
} as const satisfies ListShape

export const listSales = endpoint({
  name: 'sales.list',
  method: 'GET',
  path: '/api/sales',
  access: 'LIST_SELL',
  summary: 'Les ventes, par page',
  list: saleList,
  answer: collectionOf(sale),
})

export const getSale = endpoint({
  name: 'sales.get',
  method: 'GET',
  path: '/api/sales/{id}',
  access: 'LIST_SELL',
  summary: 'Une vente',
  params: byId,
  answer: sale,
})

/** A basket holds loans and sales alike, so a sale takes what a loan takes: durations say nothing of it. */
export const sellCopy = endpoint({
  name: 'sales.sell',
  method: 'POST',
  path: '/api/sales',
  access: 'LOANING_SELL',
  summary: 'Vendre un exemplaire de type Vente',
  status: 201,
  body: v.strictObject({ beneficiary: linkTo('beneficiaries'), copy: linkTo('copies'), ...loanTerms }),
  answer: sale,
})

export const deleteSale = endpoint({
  name: 'sales.delete',
  method: 'DELETE',
  path: '/api/sales/{id}',
  access: 'LOANING_SELL',
  summary: 'Supprimer une vente du jour, dont l’exemplaire revient',
  params: byId,
  status: 204,
  answer: nothing,
})

export const saleEndpoints = [listSales, getSale, sellCopy, deleteSale]
