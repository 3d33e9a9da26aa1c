import type { FileType } from '../../contract/file-types.ts'
import { frenchDay } from '../../domain/calendar-day.ts'
import { houseWording } from '../library-facts/house-wording.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, type Outcome, violation } from '../http/outcome.ts'
import { fileName, type ServedFile } from '../http/served-file.ts'
import { tableFile } from './table-file.ts'
import type { KeyedColumn } from './table.ts'

/** The columns that were asked for by their keys, in that order and all printed; every one where nothing was asked. */
function chosenColumns<Row>(
  columns: readonly KeyedColumn<Row>[],
  asked: string | undefined,
): Outcome<readonly KeyedColumn<Row>[]> {
  if (asked === undefined) return done(columns)
  const chosen: KeyedColumn<Row>[] = []
  for (const key of new Set(asked.split(','))) {
    const column = columns.find((one) => one.key === key)
    if (!column) return violation('columns', `«\u00a0${key}\u00a0» n’est pas une colonne de ce fichier.`)
    chosen.push({ ...column, isPrinted: true })
  }
  return done(chosen)
}

type ListFile<Row> = {
  /** Begins the file's name, such as `prets`. */
  holds: string
  title: string
  columns: readonly KeyedColumn<Row>[]
  /** In the list's order, for the columns that were asked for. */
  rows: (chosen: readonly KeyedColumn<Row>[]) => AsyncIterable<readonly Row[]>
}

/** A list as a file, with the columns that were asked for, the library's name and the day. */
export async function listFile<Row>(
  reads: ReadInTurn,
  asked: { export_type: FileType; columns?: string | undefined },
  { parameters, now, today }: Pick<Exchange, 'parameters' | 'now' | 'today'>,
  { holds, title, columns, rows }: ListFile<Row>,
): Promise<Outcome<ServedFile>> {
  const chosen = chosenColumns(columns, asked.columns)
  if (!chosen.ok) return chosen
  const type = asked.export_type
  const about = `${parameters.get('work_council')}, le ${frenchDay(today)}`
  const table = { title, about, columns: chosen.answer, rows: rows(chosen.answer) }
  return done({
    name: fileName(holds, type, now, parameters.get('timezone')),
    type,
    bytes: tableFile(table, type, await houseWording(reads)),
  })
}
