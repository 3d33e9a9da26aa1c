import * as v from 'valibot'

import type { Right } from '../domain/rights.ts'
import { listBeneficiaries } from './beneficiaries.ts'
import { listReferences } from './catalogue.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { listLabelled } from './label-list.ts'
import { collectionOf, type ListShape } from './list.ts'
import { listLoans } from './loans.ts'
import { reservations } from './reservations.ts'
import { atMost, byId, instant, item, nothing, someText } from './wire.ts'

type Viewed = {
  endpoint: Endpoint & { access: Right; list: ListShape }
  /** Those that may be hidden. */
  columns: readonly string[]
  /** The right to share a view: that of changing what the list shows. */
  sharedBy: Right
}

/** Whoever may list them may keep views of them. */
export const viewedLists = {
  loanings: {
    endpoint: listLoans,
    columns: ['beneficiary', 'category', 'start', 'due', 'returned', 'status'],
    sharedBy: 'LOANING_EDIT',
  },
  references: {
    endpoint: listReferences,
    columns: ['author', 'code', 'medium', 'category', 'copies'],
    sharedBy: 'REFERENCE_EDIT',
  },
  bar_codes: {
    endpoint: listLabelled,
    columns: ['author', 'code', 'medium', 'category', 'copies', 'wanted'],
    sharedBy: 'BARCODE_PRINT',
  },
  beneficiaries: {
    endpoint: listBeneficiaries,
    columns: ['matricule', 'firstname', 'contract', 'agency', 'exit'],
    sharedBy: 'BENEFICIARY_EDIT',
  },
  reservations: {
    endpoint: { ...reservations.list, access: 'LIST_RESERVATIONS' },
    columns: [
      'beneficiary',
      'reservation_date',
      'status',
      'position',
      'start',
      'end',
      'source',
      'site',
      'comment',
    ],
    sharedBy: 'RESERVATION_EDIT',
  },
} as const satisfies Record<string, Viewed>
export type ViewedList = keyof typeof viewedLists

const names = Object.keys(viewedLists) as [ViewedList, ...ViewedList[]]
const list = v.picklist(names, `doit être ${names.join(', ')}`)
const access = names.map((name) => viewedLists[name].endpoint.access)

/** Of one person and one list. */
export const mostViews = 20
export const longestViewName = 40

const isPlainObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Filters are written as in an address: `field|operator`. */
const content = v.strictObject({
  filters: v.pipe(
    v.custom<Record<string, unknown>>(isPlainObject, 'doit être un objet'),
    v.check((filters) => Object.keys(filters).length <= 50, 'ne doit pas dépasser 50 filtres'),
    v.check(
      (filters) => Object.keys(filters).every((name) => name.includes('|')),
      'a un nom qui n’est pas celui d’un filtre',
    ),
    v.record(someText(60), someText(2000)),
  ),
  order: v.nullable(v.strictObject({ field: someText(60), direction: v.picklist(['asc', 'desc']) })),
  hidden_columns: atMost(50, 'colonnes', someText(60)),
})
export type ViewContent = v.InferOutput<typeof content>

export const view = item('View', {
  list,
  name: v.string(),
  shared: v.boolean(),
  owner: v.string(),
  mine: v.boolean(),
  /** One's own views, and the team's for whoever sets the library up. */
  may_change: v.boolean(),
  content,
  date_update: instant,
})
export type View = v.InferOutput<typeof view>

const written = { name: someText(longestViewName), shared: v.boolean(), content }

export const listViews = endpoint({
  name: 'views.list',
  method: 'GET',
  path: '/api/views',
  access,
  summary:
    'Les vues d’une liste\u202f: les siennes, dans l’ordre où elles furent ajoutées, puis celles de l’équipe',
  query: v.strictObject({ list }),
  answer: collectionOf(view),
})

export const addView = endpoint({
  name: 'views.add',
  method: 'POST',
  path: '/api/views',
  access,
  summary: 'Garder les filtres, l’ordre et les colonnes d’une liste sous un nom',
  status: 201,
  body: v.strictObject({ list, ...written, shared: v.optional(v.boolean(), false) }),
  answer: view,
})

export const changeView = endpoint({
  name: 'views.change',
  method: 'PUT',
  path: '/api/views/{id}',
  access,
  summary: 'Changer une vue\u202f: son nom, ce qu’elle montre, pour qui',
  params: byId,
  body: v.partial(v.strictObject(written)),
  answer: view,
})

export const removeView = endpoint({
  name: 'views.remove',
  method: 'DELETE',
  path: '/api/views/{id}',
  access,
  summary: 'Supprimer une vue',
  params: byId,
  status: 204,
  answer: nothing,
})

export const viewEndpoints = [listViews, addView, changeView, removeView]
