import { labelPrinters, labelSheets } from '../../contract/label-lists.ts'
import {
  fitsPage,
  isKnownSheet,
  knownSheets,
  type LabelSheet,
  offsetOf,
  type OwnSheet,
  sheetOf,
} from '../../domain/label-sheets.ts'
import type { Db } from '../db/handles.ts'
import { describedRows, type ListRules } from '../http/bind-described.ts'
import { violation } from '../http/outcome.ts'

const sheetRows = describedRows(labelSheets)
const printerRows = describedRows(labelPrinters)

/** What the table has where nothing is given. */
const delivered = { margin_left: 0, margin_top: 0, pitch_x: 0, pitch_y: 0, columns: 1, rows: 1 }

export const sheetRules: ListRules = {
  mayWrite: (row) =>
    fitsPage(sheetOf({ ...delivered, ...(row as unknown as OwnSheet) }))
      ? null
      : violation(
          'columns',
          'Ces étiquettes sortent de la feuille A4, ou se chevauchent\u202f: vérifiez marges, pas, colonnes et lignes.',
        ),
}

const usual: LabelSheet = knownSheets.L7160

/** A known sheet by its key, one's own by its id, the usual one where none is asked for; else null. */
export async function findSheet(db: Db, key: string | undefined): Promise<LabelSheet | null> {
  if (key === undefined) return usual
  if (isKnownSheet(key)) return knownSheets[key]
  const own = /^\d+$/.test(key) ? await sheetRows.find(db, Number(key)) : null
  return own && sheetOf(own)
}

/** By how much everything is moved for a printer, in millimetres; null where it is not known. */
export async function findOffset(
  db: Db,
  printer: number | undefined,
): Promise<{ x: number; y: number } | null> {
  if (printer === undefined) return { x: 0, y: 0 }
  const found = await printerRows.find(db, printer)
  return found && offsetOf({ left: found.measured_left / 10, top: found.measured_top / 10 })
}
