import {
  checkPlace,
  flagText,
  numberText,
  place,
  type SheetRow,
  sheetName,
  shownNumber,
  signsOnly,
} from './cell-text.ts'
import { bounds, ImportFileRefusal, tooManySheets } from './import-file.ts'
import { attribute, malformed, xmlEvents } from './xml-events.ts'
import type { Archive } from './zip-entries.ts'

// Why no library reads workbooks: decision 0067.

export type Workbook = {
  readonly sheets: readonly string[]
  rows(sheet: string): AsyncGenerator<SheetRow, void, undefined>
}

/** How numbers of a style are shown: a day, an hour, or digits at their places among other signs. */
type Shown = { as: 'number' } | { as: 'day' } | { as: 'time' } | { as: 'digits'; places: readonly Place[] }
/** `digit`: 0, # or ?, which say what stands there where the number has none. */
type Place = { digit: string } | { sign: string }

const noWorkbook = () =>
  new ImportFileRefusal('Ce classeur est abîmé\u202f: ses feuilles ne peuvent pas être retrouvées.')

/** Office Open XML (ECMA-376): what is kept in memory is its styles and shared texts, both bounded. */
export async function openXlsx(archive: Archive): Promise<Workbook> {
  const base = 'xl/workbook.xml'
  const targets = await readTargets(archive, 'xl/_rels/workbook.xml.rels')
  const sheets = new Map<string, string>()
  const hidden = new Map<string, string>()
  let is1904 = false
  for await (const { name, attributes } of openings(archive, base)) {
    if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute(attributes, 'date1904') ?? '')
    if (name !== 'sheet') continue
    const target = targets.get(attribute(attributes, 'id') ?? '')
    if (target === undefined || !archive.names.has(target)) continue
    const isHidden = /hidden/i.test(attribute(attributes, 'state') ?? '')
    ;(isHidden ? hidden : sheets).set(sheetName(attributes), target)
    if (sheets.size + hidden.size > bounds.sheets) throw tooManySheets()
  }
  // What nobody sees comes last.
  for (const [name, target] of hidden) if (!sheets.has(name)) sheets.set(name, target)
  if (sheets.size === 0) throw noWorkbook()
  return {
    sheets: [...sheets.keys()],
    async *rows(sheet) {
      const path = sheets.get(sheet)
      if (path === undefined) throw noWorkbook()
      const shown = archive.names.has('xl/styles.xml') ? await readShown(archive) : []
      const texts = new SharedTexts(archive)
      try {
        yield* sheetRows(archive, path, { shown, texts, is1904 })
      } finally {
        await texts.close()
      }
    },
  }
}

async function* openings(archive: Archive, entry: string) {
  for await (const events of xmlEvents(archive.text(entry, bounds.kept))) {
    for (const event of events) if (event.type === 'open') yield event
  }
}

async function readTargets(archive: Archive, entry: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  if (!archive.names.has(entry)) throw noWorkbook()
  for await (const { name, attributes } of openings(archive, entry)) {
    const target = attribute(attributes, 'Target')
    if (name !== 'Relationship' || target === undefined) continue
    targets.set(attribute(attributes, 'Id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`)
  }
  return targets
}

/** What Excel takes; a longer one is no format of anybody. */
const longestFormat = 255

/** Numbers of the formats that come with Excel, the Asian ones included. */
const dayFormats = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58])
const timeFormats = new Set([18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47])

async function readShown(archive: Archive): Promise<Shown[]> {
  const codes = new Map<number, string>()
  // Worked out once for each, because as many styles as one likes may name the same.
  const byNumber = new Map<number, Shown>()
  const shown: Shown[] = []
  let isInCells = false
  for await (const events of xmlEvents(archive.text('xl/styles.xml', bounds.kept))) {
    for (const event of events) {
      if (event.type === 'close' && event.name === 'cellXfs') isInCells = false
      if (event.type !== 'open') continue
      const { name, attributes, isClosed } = event
      if (name === 'cellXfs') isInCells = !isClosed
      const number = Number(attribute(attributes, 'numFmtId'))
      if (name === 'numFmt') codes.set(number, attribute(attributes, 'formatCode') ?? '')
      if (name !== 'xf' || !isInCells) continue
      const how = byNumber.get(number) ?? shownBy(number, codes.get(number))
      byNumber.set(number, how)
      shown.push(how)
    }
  }
  return shown
}

function shownBy(number: number, code: string | undefined): Shown {
  if (code === undefined) {
    if (dayFormats.has(number)) return { as: 'day' }
    return { as: timeFormats.has(number) ? 'time' : 'number' }
  }
  if (code.length > longestFormat) return { as: 'number' }
  const [positive = ''] = code.split(';')
  // Without words, colours, places and escaped signs.
  const bare = positive.replace(/"[^"]*"|\[(?![hms]+\])[^\]]*\]|\\./gi, '')
  if (/[yd]/i.test(bare)) return { as: 'day' }
  if (/[hs]/i.test(bare)) return { as: 'time' }
  if (/m/i.test(bare)) return { as: 'day' }
  const places = placesOf(positive)
  return places ? { as: 'digits', places } : { as: 'number' }
}

/** Null for what is no mere row of digits and signs: decimals, thousands, fractions, conditions, « Standard ». */
function placesOf(code: string): Place[] | null {
  const places: Place[] = []
  // Colours and what has no width of its own are left out, a currency is its sign.
  const parts = code.matchAll(
    /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[a-z]+\d*\]|_.|([0#?])|([ ()+:€$-])|(.)/giu,
  )
  for (const [, quoted, escaped, currency, digit, plain, other] of parts) {
    if (other !== undefined) return null
    const sign = quoted ?? escaped ?? currency ?? plain
    if (digit !== undefined) places.push({ digit })
    else if (sign !== undefined) places.push({ sign })
  }
  return places.some((one) => 'digit' in one) ? places : null
}

/** The digits from the right; the first place has all that are left. */
function placed(digits: string, places: readonly Place[]): string {
  const first = places.findIndex((one) => 'digit' in one)
  let rest = digits
  let shown = ''
  for (const [at, one] of [...places.entries()].toReversed()) {
    if ('sign' in one) shown = one.sign + shown
    else if (at === first) shown = (rest || (one.digit === '0' ? '0' : '')) + shown
    else {
      shown = (rest.at(-1) ?? (one.digit === '0' ? '0' : '')) + shown
      rest = rest.slice(0, -1)
    }
  }
  return shown.trim()
}

/** Texts that cells name by their place, in the order of their first cells: a few rows that are shown ask for few of a million. */
class SharedTexts {
  readonly #known: string[] = []
  readonly #reading: AsyncGenerator<string[], void, undefined> | null

  constructor(archive: Archive) {
    this.#reading = archive.names.has('xl/sharedStrings.xml') ? readTexts(archive) : null
  }

  /** Empty where the file has none at that place. */
  async at(place: number): Promise<string> {
    while (this.#reading && place >= this.#known.length) {
      const { done, value } = await this.#reading.next()
      if (done) break
      for (const text of value) this.#known.push(text)
    }
    return this.#known[place] ?? ''
  }

  async close(): Promise<void> {
    await this.#reading?.return()
  }
}

async function* readTexts(archive: Archive): AsyncGenerator<string[], void, undefined> {
  let text = ''
  let isText = false
  let isPhonetic = false
  for await (const events of xmlEvents(archive.text('xl/sharedStrings.xml', bounds.kept))) {
    const texts: string[] = []
    for (const event of events) {
      if (event.type === 'fault') throw malformed()
      if (event.type === 'text') {
        if (isText && !isPhonetic) text += event.text
        if (text.length > bounds.cell) throw tooLongText()
        continue
      }
      const isOpen = event.type === 'open' && !event.isClosed
      if (event.name === 't') isText = isOpen
      else if (event.name === 'rPh') isPhonetic = isOpen
      else if (event.name === 'si') {
        if (event.type === 'open') text = ''
        if (!isOpen) texts.push(unescapeOffice(text))
      }
    }
    yield texts
  }
}

/** `_x000D_` stands for a sign that XML cannot hold; two may make one sign, and what makes none becomes U+FFFD. */
const unescapeOffice = (text: string) =>
  text.includes('_x')
    ? signsOnly(
        text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        ),
      )
    : text

type Known = { shown: readonly Shown[]; texts: SharedTexts; is1904: boolean }
type Cell = { column: number; type: string; style: number; value: string; inline: string }

/** A sheet as far as it is read. */
type Sheet = Known & {
  line: number
  cells: string[]
  /** Cells of the row whose text stands elsewhere. */
  shared: Map<number, number>
  column: number
  cell: Cell | null
  within: 'v' | 't' | null
  isPhonetic: boolean
  isEnded: boolean
}

async function* sheetRows(
  archive: Archive,
  path: string,
  known: Known,
): AsyncGenerator<SheetRow, void, undefined> {
  const sheet: Sheet = {
    ...known,
    line: 0,
    cells: [],
    shared: new Map(),
    column: -1,
    cell: null,
    within: null,
    isPhonetic: false,
    isEnded: false,
  }
  for await (const events of xmlEvents(archive.text(path))) {
    for (const event of events) {
      if (event.type === 'fault') throw malformed()
      if (event.type === 'text') addText(sheet, event.text)
      if (event.type === 'open') beginElement(sheet, event)
      if (event.type === 'text' || (event.type === 'open' && !event.isClosed)) continue
      endElement(sheet, event.name)
      if (event.name === 'row') {
        for (const [column, text] of sheet.shared) putText(sheet, column, await sheet.texts.at(text))
        if (sheet.cells.length > 0) yield { line: sheet.line, cells: sheet.cells }
      }
      // What stands behind the rows is not read.
      if (sheet.isEnded) return
    }
  }
  throw new ImportFileRefusal('Ce classeur est abîmé\u202f: sa feuille est coupée.')
}

function addText({ cell, within, isPhonetic, line }: Sheet, text: string): void {
  if (!cell || within === null || isPhonetic) return
  if (within === 'v') cell.value += text
  else cell.inline += text
  if (cell.value.length + cell.inline.length > bounds.cell) throw tooLong(line)
}

function beginElement(sheet: Sheet, { name, attributes }: { name: string; attributes: string }): void {
  if (name === 'v' || name === 't') sheet.within = name
  else if (name === 'rPh') sheet.isPhonetic = true
  else if (name === 'row') {
    sheet.line = wholeOr(attribute(attributes, 'r'), sheet.line + 1)
    sheet.cells = []
    sheet.shared = new Map()
    sheet.column = -1
  } else if (name === 'c') {
    sheet.column = columnOf(attribute(attributes, 'r')) ?? sheet.column + 1
    sheet.cell = {
      column: sheet.column,
      type: attribute(attributes, 't') ?? 'n',
      style: wholeOr(attribute(attributes, 's'), -1),
      value: '',
      inline: '',
    }
  }
}

function endElement(sheet: Sheet, name: string): void {
  if (name === 'v' || name === 't') sheet.within = null
  else if (name === 'rPh') sheet.isPhonetic = false
  else if (name === 'sheetData') sheet.isEnded = true
  else if (name === 'c' && sheet.cell) {
    const { column, type, value } = sheet.cell
    if (type === 's') {
      checkPlace(sheet.line, column)
      sheet.shared.set(column, wholeOr(value, -1))
    } else putText(sheet, column, cellText(sheet.cell, sheet))
    sheet.cell = null
  }
}

function putText({ line, cells }: Sheet, column: number, text: string): void {
  if (text === '') return
  checkPlace(line, column)
  place(cells, column, text)
}

const tooLongText = () => new ImportFileRefusal(`Une cellule a plus de ${bounds.cell} caractères.`)
const tooLong = (line: number) =>
  new ImportFileRefusal(`La ligne ${line} a une cellule de plus de ${bounds.cell} caractères.`, line)

const wholeOr = (text: string | undefined, other: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : other

/** « AB12 » is 27; undefined where it is not said. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,4})\d*$/.exec(reference ?? '')?.[1]
  if (letters === undefined) return undefined
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A formula is its stored value. */
function cellText({ type, style, value, inline }: Cell, { shown, is1904 }: Known): string {
  if (type === 'inlineStr') return unescapeOffice(inline)
  if (type === 'str') return unescapeOffice(value)
  if (type === 'b') return flagText(value)
  if (type === 'e') return value
  if (type === 'd') return value.slice(0, 10)
  const how = shown[style] ?? { as: 'number' }
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  const typed = numberText(value)
  if (how.as === 'number') return typed
  // What is cut off or rounded to be shown is read as it was typed.
  if (how.as === 'digits') return /^\d+$/.test(typed) ? shownNumber(typed, placed(typed, how.places)) : typed
  return momentText(number, how.as, is1904)
}

const dayMs = 86_400_000

/** Days since the beginning of 1900 (whose February had 29 days, for Lotus 1-2-3) or of 1904, as an ISO day or as HH:MM. */
function momentText(serial: number, as: 'day' | 'time', is1904: boolean): string {
  if (serial < 0 || serial > 2_958_466) return numberText(String(serial))
  const minutes = Math.round((serial % 1) * 1440)
  if (as === 'time')
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  const origin = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  return new Date(origin + Math.floor(serial) * dayMs).toISOString().slice(0, 10)
}
