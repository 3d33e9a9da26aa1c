import { sql } from 'kysely'

import { labelPrinters, labelSheets } from '../../contract/labels.ts'
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
import { source } from '../db/source.ts'
import { bindResource } from '../http/bind-resource.ts'
import { violation } from '../http/outcome.ts'
import { seenByAll } from '../sight/sight.ts'

const sheetRows = source(labelSheets, {
  from: sql`label_sheets ls`,
  where: sql`ls.deleted_at is null`,
  seen: seenByAll,
  id: sql`ls.id`,
  columns: {
    name: sql`ls.name`,
    kind: sql`ls.kind`,
    label_width: sql`ls.label_width`,
    label_height: sql`ls.label_height`,
    margin_left: sql`ls.margin_left`,
    margin_top: sql`ls.margin_top`,
    pitch_x: sql`ls.pitch_x`,
    pitch_y: sql`ls.pitch_y`,
    columns: sql`ls.columns`,
    rows: sql`ls.rows`,
  },
  sorts: { name: sql`search_text(ls.name)` },
})

/** What the table has where nothing is given. */
const delivered = { margin_left: 0, margin_top: 0, pitch_x: 0, pitch_y: 0, columns: 1, rows: 1 }

const printerRows = source(labelPrinters, {
  from: sql`label_printers lp`,
  where: sql`lp.deleted_at is null`,
  seen: seenByAll,
  id: sql`lp.id`,
  columns: {
    name: sql`lp.name`,
    measured_left: sql`lp.measured_left`,
    measured_top: sql`lp.measured_top`,
  },
  sorts: { name: sql`search_text(lp.name)` },
})

export const sheetRoutes = [
  ...bindResource(labelSheets, 'label_sheets', sheetRows, {
    missing: 'Cette planche n’existe pas.',
    taken: { name: 'Une planche porte déjà ce nom.' },
    mayWrite: (row) =>
      fitsPage(sheetOf({ ...delivered, ...(row as unknown as OwnSheet) }))
        ? null
        : violation(
            'columns',
            'Ces étiquettes sortent de la feuille A4, ou se chevauchent\u202f: vérifiez marges, pas, colonnes et lignes.',
          ),
  }),
  ...bindResource(labelPrinters, 'label_printers', printerRows, {
    missing: 'Cette imprimante n’existe pas.',
    taken: { name: 'Une imprimante porte déjà ce nom.' },
  }),
]

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
