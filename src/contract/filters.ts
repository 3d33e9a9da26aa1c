import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf } from './list.ts'
import { atMost, item } from './wire.ts'

export type FilterChoice = {
  code: string
  type: 'text' | 'list' | 'day'
  searchCode: string
  isAuthor: boolean
}

const filter = (code: string, type: FilterChoice['type'], searchCode: string): FilterChoice => ({
  code,
  type,
  searchCode,
  isAuthor: false,
})

/** A field of references, or a function whose values are searched by their names. */
export const wordsFilter = (code: string, isAuthor = false): FilterChoice => ({
  ...filter(code, 'text', `${code}|like`),
  isAuthor,
})

/** In the order of the screen, without what a library adds to its references; `searchCode` names the filter in the call of the list. */
export const filterChoices = {
  loanings: [
    filter('benefsearchname', 'text', 'benefsearchname|like'),
    filter('status', 'list', 'status|in'),
    filter('referencesearchname', 'text', 'referencesearchname|like'),
    filter('islate', 'list', 'islate|eq'),
    filter('category', 'list', 'category|in'),
    filter('medium', 'list', 'medium|in'),
    filter('start_date', 'day', 'start_date'),
    filter('end_date', 'day', 'end_date'),
    filter('return_date', 'day', 'return_date'),
    // Where a list is of several sites.
    filter('site', 'list', 'site|in'),
  ],
  references: [
    filter('searchname', 'text', 'searchname|like'),
    filter('category', 'list', 'category|in'),
    filter('medium', 'list', 'medium|in'),
    filter('code', 'text', 'code|like'),
    filter('audience', 'list', 'audience|in'),
    filter('type', 'list', 'type|in'),
    filter('new_at', 'day', 'new_at'),
    filter('created_at', 'day', 'created_at'),
  ],
} as const satisfies Record<string, readonly FilterChoice[]>
export type FilteredList = keyof typeof filterChoices

/** The specification writes these calls without a list: references were the only one whose filters are chosen. */
const list = v.optional(
  v.picklist(
    Object.keys(filterChoices) as [FilteredList, ...FilteredList[]],
    `doit être ${Object.keys(filterChoices).join(', ')}`,
  ),
  'references',
)

const savedFilter = item('Filter', {
  code: v.string(),
  type: v.picklist(['text', 'list', 'day']),
  searchCode: v.string(),
  isAuthor: v.boolean(),
})

export const listFilters = endpoint({
  name: 'filters.all',
  method: 'GET',
  path: '/api/filters/all',
  access: 'signed-in',
  summary: 'Les filtres qu’une liste propose',
  query: v.strictObject({ list }),
  answer: collectionOf(savedFilter),
})

export const listOwnFilters = endpoint({
  name: 'filters.mine',
  method: 'GET',
  path: '/api/filters/mine',
  access: 'signed-in',
  summary: 'Ceux que la personne a choisi de voir, dans son ordre\u202f; tous tant qu’elle n’a pas choisi',
  query: v.strictObject({ list }),
  answer: collectionOf(savedFilter),
})

export const saveOwnFilters = endpoint({
  name: 'filters.save',
  method: 'POST',
  path: '/api/filters',
  access: 'signed-in',
  summary:
    'Choisir les filtres que l’on voit au-dessus d’une liste\u202f; une simple liste de codes est celle des références',
  status: 201,
  listIs: 'filters',
  body: v.strictObject({
    list,
    filters: atMost(
      200,
      'filtres',
      v.pipe(v.string(), v.maxLength(40, 'ne doit pas dépasser 40 caractères')),
    ),
  }),
  answer: collectionOf(savedFilter),
})

export const filterEndpoints = [listFilters, listOwnFilters, saveOwnFilters]
