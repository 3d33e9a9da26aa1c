import { useCallbackRef } from '@mantine/hooks'
import { useLocation, useNavigate } from 'react-router-dom'

import type { Reservation } from '../../contract/reservations.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import { addressOf } from '../ui/address-of.ts'

/** Who waits for a title, in the list. */
export const addressOfQueue = (reference: number): string =>
  addressOf('/reservations', { 'reference_id|eq': reference })

/** Every reservation under a reader's name, ended ones too; the number tells namesakes apart. */
export const addressOfReaderReservations = (matricule: string, name: string): string =>
  addressOf('/reservations', {
    'benefsearchname|like': `${matricule} ${name}`.trim(),
    'status|in': 'waiting,confirmed,canceled,refused',
  })

/** What a reservation begins with: ids, and its days where the library reserves by days. */
export type ReservedFor = {
  beneficiary?: number
  reference?: number
  copy?: number
  start_date?: CalendarDay
  end_date?: CalendarDay
}

/** In the history: the form was opened from a page, which « back » leads to. */
type Opened = { isOpenedHere: true }
export const openedHere: Opened = { isOpenedHere: true }

/** Opens the forms of reservations, and goes back to where they were opened. */
export function useReservationForms() {
  const navigate = useNavigate()
  return {
    reserve: useCallbackRef((sought: ReservedFor) =>
      navigate(addressOf('/reservations/add', sought), { state: openedHere }),
    ),
    change: useCallbackRef(({ id }: Pick<Reservation, 'id'>) =>
      navigate(`/reservations/edit/${id}`, { state: openedHere }),
    ),
  }
}

export function useLeaveReservationForm(): () => void {
  const navigate = useNavigate()
  const state = useLocation().state as Partial<Opened> | null
  return () => void (state?.isOpenedHere ? navigate(-1) : navigate('/reservations', { replace: true }))
}

/** The copy that is kept for the person, or that they wished for, is in the loan already. */
export const addressOfLoan = ({
  beneficiary_id,
  set_aside_copy,
  copy_id,
}: Pick<Reservation, 'beneficiary_id' | 'set_aside_copy' | 'copy_id'>): string => {
  const copy = set_aside_copy ?? copy_id
  return addressOf('/loaning/add', { beneficiary: beneficiary_id, ...(copy === null ? {} : { copy }) })
}

export const isOpenReservation = ({ status, fulfilled_by }: Pick<Reservation, 'status' | 'fulfilled_by'>) =>
  fulfilled_by === null && (status === 'waiting' || status === 'confirmed')
