import * as v from 'valibot'

export const operators = ['eq', 'in', 'gte', 'lte', 'nil', 'like'] as const
export type Operator = (typeof operators)[number]
export type Direction = 'asc' | 'desc'

/** The first operator is meant by the bare form `field=value`. */
export type FilterField =
  | { type: 'id' | 'day' | 'flag'; operators: readonly [Operator, ...Operator[]] }
  /** `isNumber`: a number on a label or a card identifies the item. */
  | { type: 'text'; operators: readonly [Operator, ...Operator[]]; isNumber?: true }
  | { type: 'choice'; operators: readonly [Operator, ...Operator[]]; values: readonly string[] }

/** What a collection may be asked. */
export type ListShape = {
  filters: Record<string, FilterField>
  /** A filter for each record of a kind, by its id, as `list_types.12`. */
  numbered?: Record<string, FilterField>
  orders: readonly string[]
  defaultOrder: readonly [field: string, direction: Direction]
  largestLimit?: number
}

export type FilterValue = string | number | boolean
/** `isText`: an empty text counts as none. */
export type Filter = {
  field: string
  operator: Operator
  value: FilterValue | FilterValue[]
  isText?: true
}

export type ListQuery = {
  page: number
  limit: number
  order: { field: string; direction: Direction }[]
  filters: Filter[]
}

/** What a list knows a filter as, or undefined. */
export function filterFieldOf(shape: ListShape, field: string): FilterField | undefined {
  if (Object.hasOwn(shape.filters, field)) return shape.filters[field]
  const kind = /^([a-z_]+)\.[1-9]\d{0,8}$/.exec(field)?.[1] ?? ''
  return shape.numbered && Object.hasOwn(shape.numbered, kind) ? shape.numbered[kind] : undefined
}

const defaultLimit = 25
const largestLimit = 500

export const limitsOf = (shape: ListShape) => {
  const largest = shape.largestLimit ?? largestLimit
  return { largest, byDefault: Math.min(defaultLimit, largest) }
}

/** A query by id or number comes from a scan: somebody waits for it at the counter. */
export const isLookUp = ({ filters }: Pick<ListQuery, 'filters'>, shape: ListShape): boolean =>
  filters.some(({ field, operator, value }) => {
    const known = shape.filters[field]
    const isNaming = field === 'id' || (known?.type === 'text' && known.isNumber === true)
    return (
      isNaming && (operator === 'eq' || (operator === 'in' && Array.isArray(value) && value.length <= 25))
    )
  })

export const collectionOf = <S extends v.GenericSchema>(member: S) =>
  v.object({ 'hydra:member': v.array(member), 'hydra:totalItems': v.pipe(v.number(), v.integer()) })

export type Collection<T> = { 'hydra:member': T[]; 'hydra:totalItems': number }

/** A page of a list, or the whole of a short one. */
export const collection = <T>(members: T[], total = members.length): Collection<T> => ({
  'hydra:member': members,
  'hydra:totalItems': total,
})

type Page<T> = { 'hydra:member': T[] }
export type Counted = { 'hydra:totalItems': number }

export function membersOf<T>(page: Page<T>): T[]
export function membersOf<T>(page: Page<T> | undefined): T[] | undefined
export function membersOf<T>(page: Page<T> | undefined): T[] | undefined {
  return page?.['hydra:member']
}

/** Of the whole list, of which the members may be a page. */
export function totalOf(page: Counted): number
export function totalOf(page: Counted | undefined): number | undefined
export function totalOf(page: Counted | undefined): number | undefined {
  return page?.['hydra:totalItems']
}

export type MemberOf<P extends Page<unknown>> = P['hydra:member'][number]

export const mapMembers = <T, U>(page: Collection<T>, to: (member: T) => U): Collection<U> =>
  collection(membersOf(page).map(to), totalOf(page))

const idOperators = ['eq', 'in', 'nil'] as const
export const filterBy = {
  id: { type: 'id', operators: idOperators },
  day: { type: 'day', operators: ['eq', 'gte', 'lte', 'nil'] },
  text: { type: 'text', operators: ['like', 'eq', 'in', 'nil'] },
  code: { type: 'text', operators: ['eq', 'in', 'like', 'nil'] },
  number: { type: 'text', operators: ['eq', 'in', 'like', 'nil'], isNumber: true },
  search: { type: 'text', operators: ['like'] },
  words: { type: 'text', operators: ['like', 'nil'] },
  flag: { type: 'flag', operators: ['eq'] },
  choice: <const V extends readonly string[]>(values: V) =>
    ({ type: 'choice', operators: ['eq', 'in', 'nil'], values }) as const,
} as const
