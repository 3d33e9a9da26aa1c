import {
  checkPlace,
  flagText,
  numberText,
  place,
  type SheetRow,
  sheetName,
  shownNumber,
} from './cell-text.ts'
import { bounds, ImportFileRefusal, tooManyRepeatedCells, tooManySheets } from './import-file.ts'
import { attribute, malformed, type XmlEvent, xmlEvents } from './xml-events.ts'
import type { Workbook } from './xlsx-rows.ts'
import type { Archive } from './zip-entries.ts'

const content = 'content.xml'

/** OpenDocument 1.2 to 1.4: the names of its sheets are among its rows, so that they are all gone through once. */
export async function openOds(archive: Archive): Promise<Workbook> {
  if (archive.names.has('META-INF/manifest.xml')) {
    for await (const text of archive.text('META-INF/manifest.xml', bounds.kept)) {
      if (!text.includes('encryption-data')) continue
      throw new ImportFileRefusal(
        'Ce classeur est protégé par un mot de passe\u202f: enregistrez-le sans mot de passe.',
      )
    }
  }
  const sheets: string[] = []
  for await (const events of xmlEvents(archive.text(content))) {
    for (const event of events) {
      if (event.type === 'fault') throw malformed()
      if (event.type !== 'open' || event.name !== 'table') continue
      sheets.push(sheetName(event.attributes))
      if (sheets.length > bounds.sheets) throw tooManySheets()
    }
  }
  if (sheets.length === 0) throw new ImportFileRefusal('Ce classeur n’a aucune feuille.')
  return { sheets, rows: (sheet) => sheetRows(archive, sheets.indexOf(sheet)) }
}

type Cell = { repeat: number; type: string; value: string; text: string; paragraphs: number }

/** The sheets as far as they are read. */
type Sheets = {
  sheet: number
  /** Rows that are done. */
  line: number
  cells: string[]
  rowRepeat: number
  column: number
  cell: Cell | null
  /** Cells of rows that the sheet says once with others. */
  repeatedCells: number
  isInText: boolean
  /** Notes upon cells that are open. */
  notes: number
}

async function* sheetRows(archive: Archive, wanted: number): AsyncGenerator<SheetRow, void, undefined> {
  const sheets: Sheets = {
    sheet: -1,
    line: 0,
    cells: [],
    rowRepeat: 1,
    column: 0,
    cell: null,
    repeatedCells: 0,
    isInText: false,
    notes: 0,
  }
  for await (const events of xmlEvents(archive.text(content))) {
    for (const event of events) {
      if (event.type === 'fault') throw malformed()
      if (event.type === 'open' && event.name === 'table') sheets.sheet += 1
      if (sheets.sheet > wanted) return
      if (sheets.sheet < wanted) continue
      if (event.type === 'text') addText(sheets, event.text)
      if (event.type === 'open') beginElement(sheets, event)
      if (event.type === 'text' || (event.type === 'open' && !event.isClosed)) continue
      if (event.name === 'table-row') yield* repeated(sheets)
      endElement(sheets, event.name)
    }
  }
}

function* repeated(sheets: Sheets): Generator<SheetRow, void, undefined> {
  const { line, cells, rowRepeat } = sheets
  if (cells.length === 0) return
  sheets.repeatedCells += (rowRepeat - 1) * cells.length
  if (sheets.repeatedCells > bounds.repeatedCells) throw tooManyRepeatedCells(line + 1)
  for (let at = 1; at <= rowRepeat; at += 1) {
    checkPlace(line + at, cells.length - 1)
    yield { line: line + at, cells: at === rowRepeat ? cells : [...cells] }
  }
}

function beginElement(sheets: Sheets, event: Open): void {
  switch (event.name) {
    case 'table-row':
      sheets.rowRepeat = repeatOf(event, 'number-rows-repeated')
      sheets.cells = []
      sheets.column = 0
      break
    case 'table-cell':
    case 'covered-table-cell':
      sheets.cell = openCell(event)
      break
    case 'annotation':
      sheets.notes += 1
      break
    case 'p':
      if (sheets.notes > 0 || !sheets.cell) break
      sheets.isInText = true
      sheets.cell.paragraphs += 1
      if (sheets.cell.paragraphs > 1) addText(sheets, '\n')
      break
    case 's':
      addText(sheets, ' '.repeat(Math.min(repeatOf(event, 'c'), 1000)))
      break
    case 'tab':
      addText(sheets, '\t')
      break
    case 'line-break':
      addText(sheets, '\n')
  }
}

function endElement(sheets: Sheets, name: string): void {
  if (name === 'annotation') sheets.notes -= 1
  else if (name === 'p' && sheets.notes === 0) sheets.isInText = false
  else if (name === 'table-row') sheets.line += sheets.rowRepeat
  else if ((name === 'table-cell' || name === 'covered-table-cell') && sheets.cell) {
    sheets.column = putCell(sheets.cells, sheets.column, sheets.cell, sheets.line + 1)
    sheets.cell = null
  }
}

function addText({ cell, isInText, notes, line }: Sheets, text: string): void {
  if (!cell || !isInText || notes > 0) return
  cell.text += text
  if (cell.text.length <= bounds.cell) return
  throw new ImportFileRefusal(
    `La ligne ${line + 1} a une cellule de plus de ${bounds.cell} caractères.`,
    line + 1,
  )
}

type Open = Extract<XmlEvent, { type: 'open' }>

const openCell = (event: Open): Cell => {
  const { attributes } = event
  const type = attribute(attributes, 'value-type') ?? ''
  const value =
    type === 'string' || type === ''
      ? 'string-value'
      : type === 'date' || type === 'boolean' || type === 'time'
        ? `${type}-value`
        : 'value'
  return {
    repeat: repeatOf(event, 'number-columns-repeated'),
    type,
    value: attribute(attributes, value) ?? '',
    text: '',
    paragraphs: 0,
  }
}

const repeatOf = ({ attributes }: Open, name: string): number => {
  const said = attribute(attributes, name)
  return said !== undefined && /^\d{1,9}$/.test(said) ? Math.max(1, Number(said)) : 1
}

/** The place after it; what is empty takes no room, however often it is repeated. */
function putCell(cells: string[], column: number, cell: Cell, line: number): number {
  const text = cellText(cell)
  if (text !== '') {
    checkPlace(line, column + cell.repeat - 1)
    for (let at = 0; at < cell.repeat; at += 1) place(cells, column + at, text)
  }
  return column + cell.repeat
}

function cellText({ type, value, text }: Cell): string {
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage': {
      const typed = numberText(value)
      return text.replace(/\D/g, '').endsWith(typed) ? shownNumber(typed, text) : typed
    }
    case 'date':
      return value.slice(0, 10)
    case 'boolean':
      return text || flagText(value)
    case 'time':
      return value.replace(/^PT(\d+)H(\d+)M.*$/, '$1:$2')
    default:
      return text || value
  }
}
