import { useCallbackRef } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

import { listCopies } from '../../contract/catalogue.ts'
import { membersOf } from '../../contract/list.ts'
import { addReservation } from '../../contract/reservations.ts'
import { type CalendarDay, isCalendarDay } from '../../domain/calendar-day.ts'
import { reservationAdded } from '../../domain/sentences/reservations.ts'
import { listQuery } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import { useFindScan } from '../find/find-scan.ts'
import { nobodysWords } from '../find/found.ts'
import { say, sayError } from '../page/messages.ts'
import { useLeaveReservationForm } from '../queue/reservation-addresses.ts'
import { useScans } from '../scanner/scan-source.tsx'
import { useFlagParameter } from '../settings/parameter-data.ts'
import { CameraToggle } from '../ui/forms/camera-toggle.tsx'
import { FormPage } from '../ui/forms/form-page.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { useUnsavedGuard } from '../ui/forms/use-unsaved-guard.ts'
import { ScreenSkeleton } from '../ui/screen-skeleton.tsx'
import { missingIn, type ReservationFormFields, savedWords, writtenIn } from './reservation-fields.ts'
import { ReservationForm } from './reservation-form.tsx'

/** A card chooses the reader, and a copy its title and itself; nothing is saved by a scan. */
function useScannedIntoForm({ write }: Pick<ReservationFormFields, 'write'>): void {
  const find = useFindScan()
  const take = useCallbackRef(async (code: string) => {
    try {
      const found = await find(code)
      if (found.kind === 'reader') {
        write('beneficiary_id', found.chosen.reader.id)
      } else if (found.kind === 'copy' && found.copy.known) {
        write('reference_id', found.copy.known.copy.reference)
        write('copy_id', found.copy.known.copy.id)
      } else {
        say(found.kind === 'copy' ? `${found.copy.title} n’est pas connu ici.` : nobodysWords(found), 'warn')
      }
    } catch (error) {
      sayError(error)
    }
  })
  // In the order in which they were read: a slow answer must not put an earlier card over a later one.
  const last = useRef(Promise.resolve())
  useScans((code) => {
    last.current = last.current.then(() => take(code))
  })
}

/** Reserves a title for a reader; `?beneficiary=`, `?reference=` and `?copy=` are ids, `?start_date=` and `?end_date=` days. */
export default function ReservationAddScreen() {
  const [search] = useSearchParams()
  const withoutDates = useFlagParameter('reservations_without_dates')
  const ids = {
    beneficiary: idIn(search.get('beneficiary')),
    reference: idIn(search.get('reference')),
    copy: idIn(search.get('copy')),
  }
  // A link may name the copy alone.
  const isTitleSought = ids.copy !== undefined && ids.reference === undefined
  const { data, isPending } = useQuery({
    ...listQuery(listCopies, { limit: 1, filters: [{ field: 'id', operator: 'eq', value: ids.copy ?? 0 }] }),
    enabled: isTitleSought,
  })
  if (withoutDates === undefined || (isTitleSought && isPending)) return <ScreenSkeleton />
  const reference = ids.reference ?? membersOf(data)?.[0]?.reference
  return (
    <AddForm
      isDated={!withoutDates}
      beneficiary={ids.beneficiary}
      reference={reference}
      copy={reference === undefined ? undefined : ids.copy}
      days={{ start_date: dayIn(search.get('start_date')), end_date: dayIn(search.get('end_date')) }}
    />
  )
}

const idIn = (written: string | null): number | undefined =>
  written !== null && /^[1-9]\d{0,8}$/.test(written) ? Number(written) : undefined

const dayIn = (written: string | null): CalendarDay | null =>
  written !== null && isCalendarDay(written) ? written : null

type AddFormProps = {
  isDated: boolean
  beneficiary: number | undefined
  reference: number | undefined
  copy: number | undefined
  /** Read where the library reserves by days. */
  days: { start_date: CalendarDay | null; end_date: CalendarDay | null }
}

function AddForm({ isDated, beneficiary, reference, copy, days }: AddFormProps) {
  const leave = useLeaveReservationForm()
  const site = useSession()?.site?.id
  const form = useForm(addReservation, {
    about: 'new',
    initial: {
      ...(beneficiary === undefined ? {} : { beneficiary_id: beneficiary }),
      ...(reference === undefined ? {} : { reference_id: reference }),
      // Whichever comes first is a choice as well, which is made.
      ...(copy !== undefined ? { copy_id: copy } : isDated ? { copy_id: null } : {}),
      ...(isDated ? days : {}),
      // Zero is every site.
      site: site || null,
      comment: '',
      cycle_value: null,
    },
    onSaved: (saved) => {
      release()
      say(reservationAdded, 'good', { about: savedWords(saved) })
      leave()
    },
  })
  const release = useUnsavedGuard(form.isDirty)
  useScannedIntoForm(form)
  const missing = missingIn(writtenIn(form), isDated)
  return (
    <FormPage
      title="Réserver"
      form={form}
      said={missing ?? undefined}
      isComplete={missing === null}
      onLeave={leave}
      tools={<CameraToggle notice={null} />}
    >
      <ReservationForm form={form} isDated={isDated} opened={null} />
    </FormPage>
  )
}
