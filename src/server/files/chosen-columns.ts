import { done, type Outcome, violation } from '../http/outcome.ts'
import type { KeyedColumn } from './table.ts'

/** The columns that were asked for by their keys, in that order and all printed; every one where nothing was asked. */
export function chosenColumns<Row>(
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
