import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'

import { resourceOf } from '../../../contract/changed-resources.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { membersOf, type Filter, type ListShape, type Operator } from '../../../contract/list.ts'
import {
  listViews,
  type View,
  type ViewContent,
  type ViewedList,
  viewedLists,
} from '../../../contract/views.ts'
import { call } from '../../api/call.ts'
import { currentPersonId } from '../../api/current-person.ts'
import { currentPreferences, setPreference, usePreferences } from '../../page/preferences.ts'
import type { ListAddress } from './use-list-address.ts'

type Values = Readonly<Record<string, string>>

/** A view of the screen itself, without order or columns. */
export type FixedView = {
  key: string
  name: string
  /** All filters in force, by `field|operator`. */
  filters: Values
  isCounted?: true
  /** Said where nothing is in it: what it is for, and what comes into it. */
  empty?: string
}

/** Another screen of the same subject, in the row of the views. */
export type Neighbour = { key: string; name: string; to: string; count?: number | undefined }

export type ViewsOfList = {
  list: ViewedList
  fixed: readonly FixedView[]
  /** After the first of the screen's own views. */
  neighbours?: readonly Neighbour[]
}

export type ViewTab = {
  key: string
  name: string
  search: string
  /** Null for the screen's own. */
  kept: View | null
  counted: Filter[] | null
  empty?: string | undefined
}

export type ListViews = {
  list: ViewedList
  endpoint: Listing
  tabs: readonly ViewTab[]
  neighbours: readonly Neighbour[]
  current: ViewTab | null
  /** The kept view that is shown, or was before its filters changed. */
  base: View | null
  /** Whether one's own view differs from how it was kept. */
  isChanged: boolean
  content: ViewContent
  searchOf: (view: Pick<View, 'id' | 'content'>) => string
}

type Listing = Endpoint & { list: ListShape }
type On = {
  views: ViewsOfList | undefined
  endpoint: Listing
  address: ListAddress
  defaults: Values
  only: Values
}
type HowHidden = readonly [
  hidden: readonly string[],
  /** Null restores the first columns. */
  hide: (hidden: readonly string[] | null) => void,
]

/** Kept while the page is open, because off line the last answer stands; any change refreshes it. */
const viewsQuery = (list: ViewedList) =>
  queryOptions({
    queryKey: [resourceOf(listViews), list],
    queryFn: ({ signal }) => call(listViews, { query: { list }, signal }),
    staleTime: Infinity,
    gcTime: Infinity,
  })

const none: readonly View[] = []

/** The views over a list, where the address tells which is shown, and the hidden columns of that one. */
export function useListViews({
  views,
  endpoint,
  address,
  defaults,
  only,
}: On): [views: ListViews | null, ...HowHidden] {
  const [search] = useSearchParams()
  const { data } = useQuery({
    ...viewsQuery(views?.list ?? 'loanings'),
    enabled: views !== undefined,
  })
  const keptViews = (views && membersOf(data)) ?? none
  const { sort } = address
  const values = Object.fromEntries(Object.entries(address.values).filter(([, value]) => value.trim() !== ''))

  const searchFor = ({ filters, order }: Omit<ViewContent, 'hidden_columns'>, id?: number): string => {
    const next = new URLSearchParams()
    if (id !== undefined) next.set('view', String(id))
    for (const name of new Set([...Object.keys(defaults), ...Object.keys(filters)])) {
      const value = filters[name] ?? ''
      if (value !== (defaults[name] ?? '')) next.set(name, value)
    }
    if (order) next.set('sort', `${order.field}:${order.direction}`)
    const limit = search.get('limit')
    if (limit !== null) next.set('limit', limit)
    return next.size === 0 ? '' : `?${next.toString()}`
  }
  const searchOf = ({ id, content }: Pick<View, 'id' | 'content'>) => searchFor(content, id)

  const fixed = (views?.fixed ?? []).map(({ key, name, filters, isCounted, empty }) => ({
    tab: {
      key,
      name,
      search: searchFor({ filters, order: null }),
      kept: null,
      counted: isCounted ? filtersOf({ ...only, ...filters }) : null,
      empty,
    } satisfies ViewTab,
    filters,
    order: null,
  }))
  const kept = keptViews.map((view) => ({
    tab: {
      key: String(view.id),
      name: view.name,
      search: searchOf(view),
      kept: view,
      counted: null,
    } satisfies ViewTab,
    ...view.content,
  }))

  const chosen = kept.find(({ tab }) => tab.key === search.get('view'))
  const hasFilters = ({ filters }: { filters: Values }) => isSame(filters, values)
  const isShown = (one: { filters: Values; order: ViewContent['order'] }) =>
    hasFilters(one) && one.order?.field === sort?.field && one.order?.direction === sort?.direction
  const shown = [...(chosen ? [chosen] : []), ...fixed, ...kept].find(isShown)
  // Another order changes a kept view, but not one of the screen.
  const current = (shown ?? (chosen ? undefined : fixed.find(hasFilters)))?.tab ?? null
  const base = current ? current.kept : (chosen?.tab.kept ?? null)

  const atFirst = base?.content.hidden_columns
  const [hidden, hide] = useHiddenColumns(base ? `${endpoint.name} ${base.id}` : endpoint.name, atFirst)
  if (!views) return [null, hidden, hide]

  // The device may remember columns that the list has lost.
  const known: readonly string[] = viewedLists[views.list].columns
  const taken = hidden.filter((column) => known.includes(column))
  const areColumnsOther = atFirst !== undefined && taken.toSorted().join() !== atFirst.toSorted().join()
  return [
    {
      list: views.list,
      endpoint,
      tabs: [...fixed, ...kept].map(({ tab }) => tab),
      neighbours: views.neighbours ?? [],
      current,
      base,
      isChanged: base?.mine === true && (current === null || areColumnsOther),
      content: {
        filters: values,
        order: sort,
        hidden_columns: taken,
      },
      searchOf,
    },
    hidden,
    hide,
  ]
}

const isSame = (one: Values, other: Values): boolean => {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => asCompared(name, one[name]) === asCompared(name, other[name]))
  )
}

/** The order of several values means nothing. */
const asCompared = (name: string, value: string | undefined) =>
  name.endsWith('|in') ? value?.split(',').toSorted().join() : value

const filtersOf = (values: Values): Filter[] =>
  Object.entries(values).map(([name, value]) => {
    const [field = '', operator = 'eq'] = name.split('|')
    return { field, operator: operator as Operator, value: operator === 'in' ? value.split(',') : value }
  })

const allShown: readonly string[] = []

/** The columns that this person hid on this device, `atFirst` until they choose. */
function useHiddenColumns(list: string, atFirst: readonly string[] = allShown): HowHidden {
  const name = `${currentPersonId()} ${list}`
  const hidden = usePreferences().hidden_columns[name] ?? atFirst
  const hide = (next: readonly string[] | null) => {
    const { [name]: _, ...others } = currentPreferences().hidden_columns
    setPreference('hidden_columns', next ? { ...others, [name]: [...next] } : others)
  }
  return [hidden, hide]
}
