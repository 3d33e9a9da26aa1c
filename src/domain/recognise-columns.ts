import { findIsbn13, hasEanCheckDigit, isbnOf, isLibraryNumber } from './bar-code.ts'
import { importFieldsOf, type ImportSubject, importSubjects } from './import-fields.ts'
import { comparableName } from './comparable-name.ts'
import { fieldOfName } from './import-headers.ts'
import { readEmail, readMoney } from './import-values.ts'
import { isSerialDay, readDay } from './read-day.ts'

type Column = { readonly name: string; readonly values: readonly string[] }

/** The field that a column stands for (null for none), and what tells it. */
type Recognised = { readonly field: string | null; readonly by: 'name' | 'values' | null }

const unrecognised: Recognised = { field: null, by: null }

/** For each column its field: by its name in French or English, else by what its values are. No field is given twice. */
export function recognise(subject: ImportSubject, columns: readonly Column[]): Recognised[] {
  const taken = new Set<string>()
  const take = (field: string | undefined, by: 'name' | 'values'): Recognised => {
    if (field === undefined || taken.has(field)) return unrecognised
    taken.add(field)
    return { field, by }
  }
  const named = columns.map(({ name }) => take(fieldOfName(subject, name), 'name'))
  const days = daysApart(subject, columns)
  return named.map((found, at) => {
    if (found.field !== null) return found
    const { name, values } = columns[at]!
    // A name that says something else is believed before its values.
    if (
      !/^colonne \d+$/i.test(name) &&
      !/^(?:code|numero|n|no|id|date|identifiant)$/.test(comparableName(name))
    ) {
      const certain = certainField(subject, values)
      return take(certain, 'values')
    }
    return take(days.get(at) ?? certainField(subject, values) ?? likelyField(subject, values), 'values')
  })
}

/**
 * The subject that a file plainly has, by the names of its columns, where it is not the one that was taken for granted: it
 * knows most of them, two at least that the other does not, and all that its rows need. Null where it may be the other.
 */
export function plainlyOther(subject: ImportSubject, columns: readonly Column[]): ImportSubject | null {
  const namedBy = (one: ImportSubject) => new Set(columns.flatMap(({ name }) => fieldOfName(one, name) ?? []))
  const own = namedBy(subject).size
  const other = importSubjects.find((one) => {
    const fields = namedBy(one)
    const isWhole = importFieldsOf[one].every(({ name, isRequired }) => !isRequired || fields.has(name))
    return isWhole && fields.size >= own + 2 && fields.size * 2 > columns.length
  })
  return other ?? null
}

/** Whether the first row names the columns: it has a known name, or nothing that is plainly a value. */
export const looksLikeHeader = (cells: readonly string[]): boolean =>
  namesFields(cells) || !cells.some(isPlainlyValue)

/** Whether a cell has the name of a field. */
export const namesFields = (cells: readonly string[]): boolean =>
  cells.some((cell) => importSubjects.some((subject) => fieldOfName(subject, cell) !== undefined))

const isEmail = (cell: string) => readEmail(cell) !== null

const isPlainlyValue = (cell: string) =>
  cell.trim() !== '' &&
  (/^[\d\s.,/-]+$/.test(cell) || isEmail(cell) || findIsbn13(cell) !== null || readDay(cell) !== null)

/** As nothing else is written: a postcode may be a day's number in Excel, and two digits any year. */
const plainDay = (value: string) => (/\d{4}/.test(value) && !isSerialDay(value) ? readDay(value) : null)

/** Nine of ten. */
const most = (values: readonly string[], is: (value: string) => boolean) =>
  values.length > 0 && values.filter((value) => is(value.trim())).length >= values.length * 0.9

/** By a check digit or a form that nothing else has. */
function certainField(subject: ImportSubject, values: readonly string[]): string | undefined {
  if (subject === 'readers') return most(values, isEmail) ? 'email' : undefined
  if (subject === 'loans')
    return most(values, (value) => /^3/.test(value) && isLibraryNumber(value)) ? 'bar_code' : undefined
  if (most(values, (value) => isbnOf(value) !== null || hasEanCheckDigit(value))) return 'code'
  return most(values, (value) => /^3/.test(value) && isLibraryNumber(value)) ? 'copy.bar_code' : undefined
}

/** By a form that other columns may have too, so that it is asked of nameless ones alone. */
function likelyField(subject: ImportSubject, values: readonly string[]): string | undefined {
  const isYear = most(values, (value) => /^(?:19|20)\d\d$/.test(value))
  if (subject === 'readers') {
    if (isYear || most(values, (value) => (plainDay(value) ?? '9') < '2020')) return 'birth_year'
    if (most(values, (value) => plainDay(value) !== null)) return 'exit_date'
    if (most(values, (value) => /^(?:\+33|0)[1-9](?:[ .-]?\d\d){4}$/.test(value))) return 'phone'
    return most(values, (value) => /^2/.test(value) && isLibraryNumber(value)) ? 'reader_id' : undefined
  }
  if (subject === 'loans') return most(values, (value) => /^\d{1,9}$/.test(value)) ? 'matricule' : undefined
  if (isYear) return 'tags.year'
  if (most(values, (value) => /^\d+[.,]\d{2}(?: ?(?:€|EUR))?$/i.test(value) && readMoney(value) !== null))
    return 'price'
  return most(values, (value) => plainDay(value) !== null) ? 'copy.buy_date' : undefined
}

/** Of two columns of days in a file of loans, the earlier is that of the loan. */
function daysApart(subject: ImportSubject, columns: readonly Column[]): Map<number, string> {
  if (subject !== 'loans') return new Map()
  const days = columns.flatMap(({ values }, at) => {
    const read = values.map(plainDay)
    return values.length > 0 && read.every((day) => day !== null)
      ? [{ at, first: read.toSorted()[0] ?? '' }]
      : []
  })
  const [start, end] = days.toSorted((one, other) => (one.first < other.first ? -1 : 1))
  return new Map([
    ...(start ? [[start.at, 'start_date'] as const] : []),
    ...(end ? [[end.at, 'end_date'] as const] : []),
  ])
}
