import { isCalendarDay, isNoDay } from '../../domain/calendar-day.ts'
import {
  type Filter,
  type FilterField,
  filterFieldOf,
  type FilterValue,
  limitsOf,
  type ListQuery,
  type ListShape,
  type Operator,
  operators,
} from '../../contract/list.ts'
import { largestId, mostValues } from '../../contract/filter-values.ts'

/** The message names what the collection's shape does not know. */
export class BadQueryError extends Error {}

/** Reads page, order and filters in three forms, and leaves the rest; throws BadQueryError. */
export function parseListQuery(
  search: URLSearchParams,
  shape: ListShape,
  otherNames: readonly string[],
): { list: ListQuery; rest: Record<string, string> } {
  const limits = limitsOf(shape)
  const list: ListQuery = { page: 1, limit: limits.byDefault, order: [], filters: [] }
  const rest: Record<string, string> = {}
  const repeated = new Map<string, string[]>()
  for (const [name, value] of search) {
    const values = repeated.get(name)
    if (values) values.push(value)
    else repeated.set(name, [value])
  }

  for (const [name, values] of repeated) {
    const value = values.at(-1) ?? ''
    const orderField = /^order\[(.+)\]$/.exec(name)?.[1]
    if (name === 'page') list.page = wholeNumber(name, value, 1_000_000)
    else if (name === 'limit') list.limit = wholeNumber(name, value, limits.largest)
    else if (orderField !== undefined) list.order.push(parseOrder(orderField, value, shape))
    else if (otherNames.includes(name)) rest[name] = value
    else {
      const filter = parseFilter(name, values, shape)
      if (filter) list.filters.push(filter)
    }
  }
  if (list.filters.filter(({ field }) => !Object.hasOwn(shape.filters, field)).length > mostNumbered)
    throw new BadQueryError(`Une liste se filtre par ${mostNumbered} listes de valeurs au plus.`)
  if (list.order.length === 0)
    list.order.push({ field: shape.defaultOrder[0], direction: shape.defaultOrder[1] })
  return { list, rest }
}

/** Each is a search of its own. */
const mostNumbered = 10

function wholeNumber(name: string, value: string, largest: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > largest) {
    throw new BadQueryError(
      `Le paramètre «\u00a0${name}\u00a0» doit être un nombre entier de 1 à ${largest}.`,
    )
  }
  return number
}

function parseOrder(field: string, direction: string, shape: ListShape): ListQuery['order'][number] {
  if (!shape.orders.includes(field))
    throw new BadQueryError(`Le tri par «\u00a0${field}\u00a0» n’est pas connu.`)
  const lower = direction.toLowerCase()
  if (lower !== 'asc' && lower !== 'desc') {
    throw new BadQueryError(`Le sens du tri par «\u00a0${field}\u00a0» doit être asc ou desc.`)
  }
  return { field, direction: lower }
}

/** Null for a filter that says nothing, such as an empty list of days. */
function parseFilter(name: string, values: string[], shape: ListShape): Filter | null {
  const bracketed = /^filters\[([^\]]+)\](?:\[\])?$/.exec(name)?.[1]
  const [field = '', written, ...others] = (bracketed ?? name.replace(/\[\]$/, '')).split('|')
  const known = filterFieldOf(shape, field)
  // One filter under endless names would be tested as often.
  if (!known || others.length > 0)
    throw new BadQueryError(`Le filtre «\u00a0${field}\u00a0» n’est pas connu.`)
  const operator = written ?? known.operators[0]
  if (!isOperator(operator) || !known.operators.includes(operator)) {
    throw new BadQueryError(
      `L’opérateur «\u00a0${operator}\u00a0» n’est pas connu pour le filtre «\u00a0${field}\u00a0» (${known.operators.join(', ')}).`,
    )
  }
  const value = values.at(-1) ?? ''
  if (operator === 'nil') {
    const isText = known.type === 'text' ? { isText: true as const } : {}
    return { field, operator, value: parseFlag(field, value), ...isText }
  }
  if (known.type === 'day' && isNoDay(value)) return null
  if (operator === 'in') {
    const list = values.flatMap((text) => text.split(',')).filter((text) => text !== '')
    if (list.length > mostValues)
      throw new BadQueryError(`Le filtre «\u00a0${field}\u00a0» a trop de valeurs (${mostValues} au plus).`)
    return { field, operator, value: list.map((text) => parseValue(field, known, text)) }
  }
  return { field, operator, value: parseValue(field, known, value) }
}

const isOperator = (text: string): text is Operator => (operators as readonly string[]).includes(text)

function parseFlag(field: string, value: string): boolean {
  if (value === '1' || value === 'true') return true
  if (value === '0' || value === 'false') return false
  throw new BadQueryError(`Le filtre «\u00a0${field}\u00a0» doit valoir 0 ou 1.`)
}

function parseValue(field: string, known: FilterField, value: string): FilterValue {
  switch (known.type) {
    case 'id': {
      const id = /^(?:\/api\/[a-z_]+\/)?(\d{1,10})$/.exec(value)?.[1]
      if (id === undefined || Number(id) > largestId) {
        throw new BadQueryError(`Le filtre «\u00a0${field}\u00a0» doit être un identifiant.`)
      }
      return Number(id)
    }
    case 'day':
      if (!isCalendarDay(value)) {
        throw new BadQueryError(
          `Le filtre «\u00a0${field}\u00a0» doit être une date qui existe, écrite AAAA-MM-JJ.`,
        )
      }
      return value
    case 'flag':
      return parseFlag(field, value)
    case 'choice':
      if (!known.values.includes(value)) {
        throw new BadQueryError(`Le filtre «\u00a0${field}\u00a0» doit valoir ${known.values.join(', ')}.`)
      }
      return value
    case 'text':
      if (value.length > 200 || value.includes('\0')) {
        throw new BadQueryError(
          `Le filtre «\u00a0${field}\u00a0» doit être un texte de 200 caractères au plus.`,
        )
      }
      return value
  }
}
