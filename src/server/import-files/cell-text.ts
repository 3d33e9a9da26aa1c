import { bounds, ImportFileRefusal, tooManyRows } from './import-file.ts'
import { attribute } from './xml-events.ts'

/** A row of a sheet as it lies there, from 1, without empty cells at its end. */
export type SheetRow = { line: number; cells: string[] }

/** As it was typed: 13 digits stay 13 digits, and no rounding of the machine shows (« 12.3 » for 12.300000000000001). */
export function numberText(raw: string): string {
  if (/^-?\d{1,15}(?:\.0*)?$/.test(raw)) return raw.replace(/\.0*$/, '')
  if (/^-?\d+$/.test(raw)) return raw
  const number = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(number)) return raw
  if (Math.abs(number) >= 1e15) return BigInt(Math.round(number)).toString()
  const rounded = Number(number.toPrecision(15))
  return Math.abs(rounded) < 1e-6 ? rounded.toFixed(15).replace(/\.?0+$/, '') : String(rounded)
}

/** As a French spreadsheet shows it: where it is a title, « VRAI » is a word. */
export const flagText = (value: string): string =>
  value === '' ? '' : /^(?:1|true)$/i.test(value) ? 'VRAI' : 'FAUX'

/** A number as its cell shows it: with what its format writes between its digits, but for the spaces of thousands, decimals and percentages. */
export const shownNumber = (typed: string, shown: string): string =>
  /[.,%]/.test(shown) || /^-?\d{1,3}(?:\s\d{3})+$/.test(shown) ? typed : shown

/** A to XFD. */
function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  }
  return name
}

/** Throws where a value stands too far away for a table: nothing between is ever laid out. */
export function checkPlace(line: number, column: number): void {
  if (column >= bounds.columns) {
    throw new ImportFileRefusal(
      `La feuille a une valeur en ${columnName(column)}${line}\u202f: au plus ${bounds.columns} colonnes sont lues. Effacez-la, ou les colonnes en trop.`,
      line,
    )
  }
  // One more for the names of the columns.
  if (line > bounds.rows + 1) throw tooManyRows()
}

/** Puts a value at its place, with empty ones before it. */
export function place(cells: string[], column: number, text: string): void {
  while (cells.length < column) cells.push('')
  cells[column] = text
}

const unseen =
  // oxlint-disable-next-line no-control-regex -- control signs are what is looked for
  /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/**
 * Without what nobody sees: the marks of what sorting leaves out (ISO 6630), other controls, and those that turn the way of writing. Line ends
 * and tabs stay.
 */
export const clean = (text: string) => text.replace(unseen, '')

/** For what is shown or kept without its row being judged: what is no sign becomes U+FFFD, as no database holds it. */
export const signsOnly = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\ufffd')

/** The first signs, none of which is cut in two. */
export const cut = (text: string, most: number) =>
  text.length > most ? Array.from(text).slice(0, most).join('') : text

/** Of the attributes of a sheet. */
export const sheetName = (attributes: string): string =>
  cut(signsOnly(attribute(attributes, 'name') ?? ''), 200)

/** A value as it is read: `="978…"` is how some software keeps a spreadsheet from shortening a number. */
export const cellValue = (cell: string): string => {
  if (cell === '') return ''
  const text = clean(cell).trim()
  return /^="([^"]*)"$/.exec(text)?.[1]?.trim() ?? text
}
