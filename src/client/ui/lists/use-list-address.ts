import { useCallbackRef } from '@mantine/hooks'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'

import { fits } from '../../../contract/filter-values.ts'
import {
  type Direction,
  type Filter,
  type FilterField,
  filterFieldOf,
  type ListQuery,
  type ListShape,
  type Operator,
} from '../../../contract/list.ts'

export const pageSizes = [10, 25, 50] as const

/** A header's next click: some lists sort down first, others up. */
export type SortCycle = 'desc-first' | 'asc-first'

export type ListAddress = {
  list: ListQuery
  /** By `field|operator`. */
  values: Readonly<Record<string, string>>
  setFilters(changes: Record<string, string>): void
  clearFilters(): void
  sort: { field: string; direction: Direction } | null
  cycleSort(field: string): void
  setPage(page: number): void
  setLimit(limit: number): void
}

/** Those that are known by name, and those by number that the address has. */
const fieldsIn = (search: URLSearchParams, prefix: string, shape: ListShape): string[] => [
  ...Object.keys(shape.filters),
  ...(shape.numbered
    ? new Set(
        Array.from(search.keys(), (name) => name.slice(prefix.length).split('|')[0] ?? '').filter(
          (field) => !Object.hasOwn(shape.filters, field),
        ),
      )
    : []),
]

/** A list's state in the address; unfit filters are dropped, `defaults` hold until changed. */
export function useListAddress(
  shape: ListShape,
  {
    cycle,
    defaults = {},
    prefix = '',
    limit: defaultLimit = 25,
  }: { cycle: SortCycle; defaults?: Record<string, string>; prefix?: string; limit?: number },
): ListAddress {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()

  const values = useMemo(() => {
    const read: Record<string, string> = {}
    for (const field of fieldsIn(search, prefix, shape)) {
      const filter = filterFieldOf(shape, field)
      if (!filter) continue
      for (const operator of filter.operators) {
        const name = `${field}|${operator}`
        const written = search.get(prefix + name)
        const value = written !== null && fits(filter, operator, written) ? written : defaults[name]
        if (value !== undefined && value !== '') read[name] = value
      }
    }
    return read
    // oxlint-disable-next-line react/exhaustive-deps -- defaults and shape are constants of the screen
  }, [search, prefix])

  // A filter applied as its screen goes must not follow the person to the next one.
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const change = useCallbackRef((changes: Record<string, string | null>) => {
    if (!isShown.current) return
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) next.delete(prefix + name)
          else next.set(prefix + name, value)
        }
        return next
      },
      // Keeps where the detail beside the list was opened from.
      { replace: true, state: state as unknown },
    )
  })

  const written = /^(.+):(asc|desc)$/.exec(search.get(`${prefix}sort`) ?? '')
  const sort =
    written?.[1] !== undefined && shape.orders.includes(written[1])
      ? { field: written[1], direction: written[2] as Direction }
      : null
  const limit = pageSizes.find((size) => String(size) === search.get(`${prefix}limit`)) ?? defaultLimit
  const page = /^[1-9]\d{0,5}$/.test(search.get(`${prefix}page`) ?? '')
    ? Number(search.get(`${prefix}page`))
    : 1

  const filters = Object.entries(values).map(([name, value]): Filter => {
    const [field = '', operator] = name.split('|')
    return {
      field,
      operator: operator as Operator,
      value: valueOf(filterFieldOf(shape, field), operator as Operator, value),
    }
  })

  return {
    list: { page, limit, order: sort ? [sort] : [], filters },
    values,
    setFilters: (changes) =>
      change({
        // An emptied filter is written as empty, so that its default stays off.
        ...Object.fromEntries(
          Object.entries(changes).map(([name, value]) => [
            name,
            value === '' && defaults[name] === undefined ? null : value,
          ]),
        ),
        page: null,
      }),
    clearFilters: () =>
      change({
        ...Object.fromEntries(
          Object.keys(values).map((name) => [name, defaults[name] === undefined ? null : '']),
        ),
        page: null,
      }),
    sort,
    cycleSort: (field) => change({ sort: nextSort(sort, field, cycle), page: null }),
    setPage: (next) => change({ page: next === 1 ? null : String(next) }),
    setLimit: (next) => change({ limit: next === defaultLimit ? null : String(next), page: null }),
  }
}

function nextSort(sort: ListAddress['sort'], field: string, cycle: SortCycle): string | null {
  const [first, second] = cycle === 'desc-first' ? ['desc', 'asc'] : ['asc', 'desc']
  if (sort?.field !== field) return `${field}:${first}`
  return sort.direction === first ? `${field}:${second}` : null
}

function valueOf(field: FilterField | undefined, operator: Operator, value: string): Filter['value'] {
  if (operator === 'in') return value.split(',')
  if (operator === 'nil' || field?.type === 'flag') return value === '1'
  return value
}

/** With filters that always hold unseen. */
export function withOnly({ list }: ListAddress, only: Record<string, string>): ListAddress['list'] {
  const always = Object.entries(only).map(([name, value]) => {
    const [field = '', operator = 'eq'] = name.split('|')
    return { field, operator: operator as 'eq', value }
  })
  return { ...list, filters: [...list.filters, ...always] }
}
