import type { Copy } from '../../contract/catalogue.ts'
import type { Medium } from '../../contract/media.ts'
import type { CalendarDay } from '../../domain/calendar-day.ts'
import type { CalendarUnit, CopyState, CopyStatus } from '../../domain/loan-rules.ts'
import { readerName } from '../../domain/person-names.ts'
import type { Capacity, Reservation } from '../../domain/reservation-rules.ts'
import type { KnownCopy } from '../../offline/counter.ts'

/** From the server or the device. */
export type CounterCopy = {
  id: number
  bar_code: string
  name: string
  reference: number
  status: CopyStatus
  state: CopyState
  price: string
  type: Copy['type']
  cycle_type: CalendarUnit | null
  cycle_value: number | null
  site: number
  medium: Medium | null
  /** The device does not know it. */
  image_path?: string | null
  /** In the order they are served. */
  reservations: (Reservation & { id: number; beneficiary_name: string })[]
  capacity: Capacity | null
  /** 0 and an empty name when the person is not known. */
  holder: { beneficiary: number; beneficiary_name: string; end_date: CalendarDay | null } | null
  /** Nobody could be asked whose it is: the rest is made up until the server finds it, its `id` too. */
  is_code_alone?: true
}

export const copyOfKnown = ({
  copy,
  medium,
  loan,
  borrower,
  reservations,
  capacity,
}: KnownCopy): CounterCopy => ({
  ...copy,
  medium,
  capacity,
  reservations: reservations.map((one) => ({
    ...one,
    beneficiary_name: one.beneficiary_name ?? one.beneficiary_info,
  })),
  holder: loan && {
    beneficiary: loan.beneficiary_id,
    beneficiary_name: borrower ? readerName(borrower) : '',
    end_date: loan.end_date,
  },
})
