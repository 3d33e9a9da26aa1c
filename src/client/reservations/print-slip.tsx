import { lazy } from 'react'

import type { Reservation } from '../../contract/reservations.ts'
import { printOut } from '../ui/printing.ts'
import type { Slip } from './reservation-slip.tsx'

const ReservationSlip = lazy(() => import('./reservation-slip.tsx'))

/** On a roll of 80 mm, one under the other. */
export const printSlips = (slips: readonly Slip[]): void => printOut(<ReservationSlip slips={slips} />)

export const slipOf = ({
  beneficiary_name,
  reference_name,
  set_aside_barcode,
  site_name,
  pickup_until,
}: Reservation): Slip => ({
  name: beneficiary_name,
  title: reference_name,
  bar_code: set_aside_barcode ?? '',
  site: site_name,
  until: pickup_until,
})
