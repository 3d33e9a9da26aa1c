import { setImmediate as turn } from 'node:timers/promises'

import { looksLikeHeader, namesFields } from '../../domain/recognise-columns.ts'
import { shortValue } from '../../domain/short-value.ts'
import { cellValue, clean, cut, signsOnly } from './cell-text.ts'
import {
  bounds,
  type DamagedRow,
  type FileColumn,
  type ImportFile,
  ImportFileRefusal,
  type TableRow,
  tooManyEmptyCells,
} from './import-file.ts'

type RawRow = { readonly line: number; readonly cells: readonly string[]; readonly fault?: string }

export type RawTable = {
  rows(): AsyncIterable<RawRow>
  /** Whether each row says how many cells it has, as in a CSV: one with too few is then damaged, and not merely empty at its end. */
  readonly isCut: boolean
}

const previewed = 200
const mostValues = 50
const charactersInTurn = 100_000

/** A workbook makes many rows of few bytes: without a turn for the others, nobody would be served before its end. */
async function* inTurns(rows: AsyncIterable<RawRow>): AsyncGenerator<RawRow, void, undefined> {
  let text = 0
  for await (const row of rows) {
    for (const cell of row.cells) text += cell.length + 1
    if (text > charactersInTurn) {
      await turn()
      text = 0
    }
    yield row
  }
}

/** Enough of a cell to know what it is: a workbook may say one of 100,000 characters in each. */
const beginning = (cell: string): string => cut(cell.slice(0, 400), 200)
const beginnings = (cells: readonly string[]): string[] => cells.map(beginning)

function firstValues(rows: readonly RawRow[], column: number): string[] {
  const values: string[] = []
  for (const { cells } of rows) {
    const value = signsOnly(cellValue(beginning(cells[column] ?? '')))
    if (value !== '') values.push(value)
    if (values.length === mostValues) break
  }
  return values
}

/** The columns of a table by its first rows, and its rows as cells by column. */
export async function readTable(
  raw: RawTable,
  header: boolean | undefined,
): Promise<Pick<ImportFile, 'has_header' | 'columns' | 'rows'>> {
  const first: RawRow[] = []
  for await (const row of inTurns(raw.rows())) {
    first.push(row)
    if (first.length > previewed) break
  }
  const above = header === false ? 0 : linesAbove(first)
  const [top, ...below] = first.slice(above)
  if (!top) throw new ImportFileRefusal('Le fichier est vide\u202f: aucune cellule n’a de valeur.')
  const has_header = header ?? looksLikeHeader(beginnings(top.cells))
  if (has_header && below.length === 0) {
    throw new ImportFileRefusal(
      'Le fichier ne contient aucune ligne après celle des noms de colonnes.',
      top.line,
    )
  }
  const width = raw.isCut
    ? withoutEmptyEnd(top.cells).length
    : Math.max(...first.map(({ cells }) => cells.length))
  const data = has_header ? below : [top, ...below]
  const names = namesOf(has_header ? beginnings(top.cells) : [], width)
  const columns = names.map((name, index): FileColumn => ({
    index,
    name,
    values: firstValues(data, index),
  }))
  async function* rows(): AsyncGenerator<TableRow | DamagedRow, void, undefined> {
    let passed = 0
    let empty = 0
    for await (const row of inTurns(raw.rows())) {
      if (passed < above + (has_header ? 1 : 0)) {
        passed += 1
        continue
      }
      const read = readRow(row, columns, raw.isCut)
      for (const cell of read.cells ?? []) if (cell === '') empty += 1
      if (empty > bounds.emptyCells) throw tooManyEmptyCells(row.line)
      yield read
    }
  }
  return { has_header, columns, rows: { [Symbol.asyncIterator]: rows } }
}

const mostAbove = 10

const filledCells = ({ cells }: RawRow): number => cells.filter((cell) => cell.trim() !== '').length

/** How many lines stand above the names of the columns: a title, a date, who made the file. */
function linesAbove(first: readonly RawRow[]): number {
  const at = first
    .slice(0, mostAbove + 1)
    .findIndex((row) => filledCells(row) > 1 || namesFields(beginnings(row.cells)))
  const names = first[at]
  // Without names to know them by, the first line is as good as any other.
  return names && namesFields(names.cells) ? at : 0
}

/** A delimiter at the end of each row makes no column. */
function withoutEmptyEnd(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  return cells.slice(0, last + 1)
}

function namesOf(header: readonly string[], width: number): string[] {
  const names: string[] = []
  for (let at = 0; at < width; at += 1) {
    const own = tidy(header[at] ?? '') || `Colonne ${at + 1}`
    let name = own
    for (let again = 2; names.includes(name); again += 1) name = `${own} (${again})`
    names.push(name)
  }
  return names
}

const tidy = (text: string) => cut(signsOnly(clean(text)).replace(/\s+/g, ' ').trim(), 100)

function readRow(
  { line, cells, fault }: RawRow,
  columns: readonly FileColumn[],
  isCut: boolean,
): TableRow | DamagedRow {
  const damaged = (reason: string): DamagedRow => ({ type: 'damaged', line, reason, cells })
  if (fault !== undefined) return damaged(fault)
  const extra = cells.length > columns.length ? withoutEmptyEnd(cells).length - columns.length : 0
  if (extra > 0 || (isCut && cells.length < columns.length)) {
    const found = extra > 0 ? columns.length + extra : cells.length
    return damaged(
      `La ligne a ${found} colonne${found > 1 ? 's' : ''} au lieu de ${columns.length}\u202f: un séparateur ou un guillemet est sans doute de trop, ou manque.`,
    )
  }
  for (const { index, name } of columns) {
    const cell = cells[index] ?? ''
    // Most of a wide sheet is empty: what is looked for costs more than all else there.
    if (cell === '') continue
    if (/[\0\ufffd]|\p{Surrogate}/u.test(cell)) {
      return damaged(
        `La colonne «\u00a0${shortValue(name)}\u00a0» a des signes illisibles dans ce jeu de caractères.`,
      )
    }
    if (cell.length > bounds.cell) {
      return damaged(`La colonne «\u00a0${shortValue(name)}\u00a0» a plus de ${bounds.cell} caractères.`)
    }
  }
  return { type: 'row', line, cells: columns.map(({ index }) => cellValue(cells[index] ?? '')) }
}
