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
import type { KeptRow, WholeRow } from './rows-file.ts'
import { readValues, readWork } from './work-row.ts'

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
    return { outcomes: [refusedFor(only, reason)], words: 0 }
  }
  const half = Math.ceil(rows.length / 2)
  const first = await importRows(trx, { ...given, rows: rows.slice(0, half) }, how, exchange)
  const second = await importRows(trx, { ...given, rows: rows.slice(half) }, how, exchange)
  return { outcomes: [...first.outcomes, ...second.outcomes], words: first.words + second.words }
}

const reason = 'La base de données refuse cette ligne\u202f: une de ses valeurs n’y entre pas.'

const refusedFor = ({ line, at }: KeptRow, reason: string): RowOutcome => ({
  line,
  at,
  result: 'refused',
  whys: [{ field: null, reason }],
})

/** Their outcomes are in the order of the file. */
async function importTogether(
  trx: Trx,
  { subject, rows, mapping }: Given,
  how: How,
  exchange: Exchange,
): Promise<Done> {
  const refused: RowOutcome[] = []
  const inOrder = (outcomes: readonly RowOutcome[]) =>
    [...refused, ...outcomes].sort((one, other) => one.at - other.at)
  const readable = rows.flatMap((row): WholeRow[] => {
    if (!('damaged' in row)) return [row]
    refused.push(refusedFor(row, row.damaged))
    return []
  })
  if (subject === 'references') {
    const copying = { today: exchange.today, ...how.noticeFields }
    const works = readable.map((row) => readWork(row, mapping, copying))
    const { outcomes, words } = await importWorks(trx, works, how, exchange)
    return { outcomes: inOrder(outcomes), words }
  }
  const values = readable.flatMap((row) => {
    if ('cells' in row) return [readValues(row, { subject, mapping, today: exchange.today })]
    refused.push(refusedFor(row, 'Une notice n’est pas une ligne de lecteurs ni de prêts.'))
    return []
  })
  const outcomes = await (subject === 'readers' ? importReaders : importLoans)(trx, values, how, exchange)
  return { outcomes: inOrder(outcomes), words: 0 }
}
