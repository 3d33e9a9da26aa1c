import type { Mapping } from '../../contract/imports.ts'
import type { ImportSubject } from '../../domain/import-fields.ts'
import { isOfData } from '../db/error-code.ts'
import type { Trx } from '../db/handles.ts'
import { asPart } from '../db/part-of-transaction.ts'
import type { Exchange } from '../http/exchange.ts'
import { importLoans } from './import-loans.ts'
import { importReaders } from './import-readers.ts'
import { importWorks } from './import-works.ts'
import type { How, RowOutcome } from './outcome-of-row.ts'
import type { KeptRow } from './rows-file.ts'
import { readValues, readWork, type RefusedRow, type ValueRow } from './work-row.ts'

type Given = { subject: ImportSubject; rows: readonly KeptRow[]; mapping: Mapping }
type Done = { outcomes: RowOutcome[]; words: number }

/** Brings in some rows of a file; each has its outcome, and one that the database refuses costs no other. */
export async function importRows(trx: Trx, given: Given, how: How, exchange: Exchange): Promise<Done> {
  try {
    return await asPart(trx, () => importTogether(trx, given, how, exchange))
  } catch (error) {
    if (!isOfData(error)) throw error
  }
  const { rows } = given
  const [only, ...others] = rows
  if (only && others.length === 0) {
    return { outcomes: [{ line: only.line, at: only.at, result: 'refused', field: null, reason }], words: 0 }
  }
  const half = Math.ceil(rows.length / 2)
  const first = await importRows(trx, { ...given, rows: rows.slice(0, half) }, how, exchange)
  const second = await importRows(trx, { ...given, rows: rows.slice(half) }, how, exchange)
  return { outcomes: [...first.outcomes, ...second.outcomes], words: first.words + second.words }
}

const reason = 'La base de données refuse cette ligne\u202f: une de ses valeurs n’y entre pas.'

async function importTogether(
  trx: Trx,
  { subject, rows, mapping }: Given,
  how: How,
  exchange: Exchange,
): Promise<Done> {
  const refused: RowOutcome[] = []
  const refuse = (row: RefusedRow) => refused.push({ ...row, result: 'refused' })
  if (subject === 'references') {
    const works = rows.flatMap((row) => {
      const read = readWork(row, mapping, { today: exchange.today, ...how.copyFields })
      if (read.ok) return [read.row]
      refuse(read.refused)
      return []
    })
    const { outcomes, words } = await importWorks(trx, works, how, exchange)
    return { outcomes: [...refused, ...outcomes], words }
  }
  const values = rows.flatMap((row): ValueRow[] => {
    const { line, at } = row
    if ('damaged' in row || !('cells' in row)) {
      const reason =
        'damaged' in row ? row.damaged : 'Une notice n’est pas une ligne de lecteurs ni de prêts.'
      refuse({ line, at, field: null, reason })
      return []
    }
    const read = readValues(row, { subject, mapping, today: exchange.today })
    if (read.ok) return [{ line, at, values: read.row }]
    refuse(read.refused)
    return []
  })
  const outcomes = await (subject === 'readers' ? importReaders : importLoans)(trx, values, how, exchange)
  return { outcomes: [...refused, ...outcomes], words: 0 }
}
