import type { Copy } from '../../contract/catalogue.ts'
import type { exportCopies as exportCopiesCall } from '../../contract/catalogue-exports.ts'
import { durationTypes } from '../../domain/loan-rules.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import type { ServedFile } from '../http/served-file.ts'
import { everyCopy } from './copy-queries.ts'

/** All copies of a list as a file, in its order. */
export function exportCopies(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportCopiesCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  return listFile(reads, query, exchange, {
    holds: 'exemplaires',
    title: 'Exemplaires',
    columns,
    rows: () => everyCopy(reads, list, exchange.visibility),
  })
}

const columns: KeyedColumn<Copy>[] = [
  { key: 'bar_code', title: 'Code-barres', width: 16, kind: 'text', value: 'bar_code' },
  { key: 'name', title: 'Titre', width: 40, kind: 'text', value: 'name' },
  { key: 'medium', title: 'Support', width: 14, kind: 'text', value: ({ medium }) => medium?.name ?? null },
  {
    key: 'category',
    title: 'Catégorie',
    width: 18,
    kind: 'text',
    value: ({ category }) => category?.name ?? null,
  },
  { key: 'site', title: 'Site', width: 18, kind: 'text', value: 'site_name' },
  { key: 'location', title: 'Emplacement', width: 18, kind: 'text', value: 'location_label' },
  { key: 'state', title: 'État', width: 14, kind: 'text', value: 'state_name' },
  { key: 'status', title: 'Disponibilité', width: 14, kind: 'text', value: 'status_name' },
  { key: 'type', title: 'Type', width: 10, kind: 'text', value: 'type' },
  { key: 'price', title: 'Prix', width: 10, kind: 'money', value: 'price' },
  { key: 'buy_date', title: 'Acquis le', width: 12, kind: 'day', value: 'buy_date' },
  { key: 'cycle_value', title: 'Longueur d’un cycle', width: 10, kind: 'count', value: 'cycle_value' },
  {
    key: 'cycle_type',
    title: 'Unité du cycle',
    width: 12,
    kind: 'text',
    value: ({ cycle_type }) => cycle_type && durationTypes[cycle_type],
  },
  {
    key: 'due',
    title: 'Retour prévu',
    width: 12,
    kind: 'day',
    value: ({ loaning }) => loaning?.end_date ?? null,
  },
  {
    key: 'sent_from',
    title: 'Envoyé de',
    width: 18,
    kind: 'text',
    value: ({ sent_from }) => sent_from?.name ?? null,
  },
  { key: 'date', title: 'Envoyé le', width: 12, kind: 'day', value: 'date' },
  { key: 'sold_on', title: 'Vendu le', width: 12, kind: 'day', value: 'sold_on' },
  {
    key: 'reservations',
    title: 'Réservations',
    width: 8,
    kind: 'count',
    value: ({ reservations }) => reservations.length,
  },
]
