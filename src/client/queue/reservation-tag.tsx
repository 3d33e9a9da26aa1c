import type { Reservation } from '../../contract/reservations.ts'
import { reservationStatuses } from '../../domain/reservation-rules.ts'
import { StatusTag, type Tone } from '../ui/status-tag.tsx'

const tones = { confirmed: 'good', canceled: 'quiet', refused: 'bad' } as const satisfies Partial<
  Record<Reservation['status'], Tone>
>

type Decided = Pick<Reservation, 'status' | 'fulfilled_by'>

/** Waiting is what most of them do: only what differs stands out. */
export function ReservationStatusTag({ reservation }: { reservation: Decided }) {
  const { status, fulfilled_by } = reservation
  if (fulfilled_by !== null) return <StatusTag tone="quiet">Servie</StatusTag>
  if (status === 'waiting') return reservationStatuses.waiting
  return <StatusTag tone={tones[status]}>{reservationStatuses[status]}</StatusTag>
}
