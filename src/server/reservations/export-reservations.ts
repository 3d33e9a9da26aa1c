import type {
  exportReservations as exportReservationsCall,
  Reservation,
} from '../../contract/reservations.ts'
import { calendarDayOf } from '../../domain/calendar-day.ts'
import { reservationSources, reservationStatuses } from '../../domain/reservation-rules.ts'
import type { ReadInTurn } from '../db/lists/read-list.ts'
import { listFile } from '../files/list-file.ts'
import type { KeyedColumn } from '../files/table.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Outcome } from '../http/outcome.ts'
import type { ServedFile } from '../http/served-file.ts'
import { everyReservation } from '../queue/reservation-queries.ts'

/** All reservations of a list as a file, in its order. */
export function exportReservations(
  reads: ReadInTurn,
  { list, query }: VerbInput<typeof exportReservationsCall>,
  exchange: Exchange,
): Promise<Outcome<ServedFile>> {
  return listFile(reads, query, exchange, {
    holds: 'reservations',
    title: 'Réservations',
    columns: columnsIn(exchange.parameters.get('timezone')),
    rows: () => everyReservation(reads, list, exchange),
  })
}

const columnsIn = (timeZone: string): KeyedColumn<Reservation>[] => [
  { key: 'beneficiary', title: 'Lecteur', width: 30, kind: 'text', value: (one) => one.beneficiary_name },
  { key: 'reference', title: 'Référence', width: 40, kind: 'text', value: (one) => one.reference_name },
  {
    key: 'reservation_date',
    title: 'Demandée le',
    width: 12,
    kind: 'day',
    value: ({ reservation_date }) => calendarDayOf(new Date(reservation_date), timeZone),
  },
  {
    key: 'status',
    title: 'Statut',
    width: 12,
    kind: 'text',
    value: ({ status }) => reservationStatuses[status],
  },
  { key: 'position', title: 'Rang', width: 8, kind: 'count', value: 'queuePosition' },
  { key: 'start', title: 'Début', width: 12, kind: 'day', value: 'start_date' },
  { key: 'end', title: 'Fin', width: 12, kind: 'day', value: 'end_date' },
  { key: 'copy', title: 'Exemplaire voulu', width: 14, kind: 'text', value: 'copy_barcode' },
  {
    key: 'source',
    title: 'Origine',
    width: 14,
    kind: 'text',
    value: ({ source }) => reservationSources[source],
  },
  { key: 'site', title: 'Site de retrait', width: 18, kind: 'text', value: 'site_name' },
  { key: 'set_aside', title: 'Mis de côté', width: 14, kind: 'text', value: 'set_aside_barcode' },
  {
    key: 'set_aside_at',
    title: 'Mis de côté le',
    width: 12,
    kind: 'day',
    value: ({ set_aside_at }) => set_aside_at && calendarDayOf(new Date(set_aside_at), timeZone),
  },
  { key: 'until', title: 'À retirer jusqu’au', width: 12, kind: 'day', value: 'pickup_until' },
  { key: 'amount', title: 'Montant estimé', width: 12, kind: 'money', value: 'amount' },
  { key: 'comment', title: 'Commentaire', width: 30, kind: 'text', value: 'comment' },
]
