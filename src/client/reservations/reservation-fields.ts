import type { Reservation } from '../../contract/reservations.ts'
import { reservationStatuses } from '../../domain/reservation-rules.ts'
import { inWords } from '../page/house-words.ts'
import { becameWords, type Difference } from '../ui/forms/changed-since.tsx'
import type { Form } from '../ui/forms/use-fields.ts'
import { dayOrNothing } from './reservation-words.ts'

type ReservationField =
  | 'beneficiary_id'
  | 'reference_id'
  | 'copy_id'
  | 'start_date'
  | 'end_date'
  | 'site'
  | 'comment'
  | 'cycle_value'

export type ReservationFormFields = Pick<
  Form<ReservationField>,
  'text' | 'choice' | 'number' | 'day' | 'whole' | 'write'
>

/** What a form holds of it now. */
type Written = {
  beneficiary: number | null
  reference: number | null
  /** A copy, null for whichever comes first, undefined as long as nothing was chosen. */
  copy: number | null | undefined
  start_date: string | null
  end_date: string | null
  cycle_value: number | null
  site: number | null
}

export function writtenIn(form: Pick<ReservationFormFields, 'whole'>): Written {
  const value = (field: ReservationField) => form.whole(field, labels[field]).value
  const number = (field: ReservationField) => {
    const one = value(field)
    return typeof one === 'number' ? one : null
  }
  const day = (field: ReservationField) => (value(field) as string | null | undefined) || null
  const copy = value('copy_id')
  return {
    beneficiary: number('beneficiary_id'),
    reference: number('reference_id'),
    copy: copy === null || typeof copy === 'number' ? copy : undefined,
    start_date: day('start_date'),
    end_date: day('end_date'),
    cycle_value: number('cycle_value'),
    site: number('site'),
  }
}

export const labels: Record<ReservationField, string> = {
  beneficiary_id: 'Lecteur',
  reference_id: 'Référence',
  copy_id: 'Exemplaire',
  start_date: 'Date de début',
  end_date: 'Date de fin',
  site: 'Site de retrait',
  comment: 'Commentaire',
  cycle_value: 'Nombre de cycles',
}

/** What is asked for before a reservation is saved, in words. */
export function missingIn({ beneficiary, reference, copy, start_date, end_date }: Written, isDated: boolean) {
  const missing = [
    beneficiary === null ? 'le lecteur' : '',
    reference === null ? 'la référence' : '',
    ...(isDated
      ? [start_date === null ? 'la date de début' : '', end_date === null ? 'la date de fin' : '']
      : [reference !== null && copy === undefined ? 'l’exemplaire' : '']),
  ].filter(Boolean)
  return missing.length === 0 ? null : inWords(`Il manque ${together.format(missing)}.`)
}

export const together = new Intl.ListFormat('fr')

/** What a form begins with. */
export const fieldsOf = (one: Reservation) => ({
  beneficiary_id: one.beneficiary_id,
  reference_id: one.reference_id,
  copy_id: one.copy_id,
  start_date: one.start_date,
  end_date: one.end_date,
  site: one.site,
  comment: one.comment,
  cycle_value: one.cycle_value,
})

/** The place is the one that the server gave. */
export const savedWords = ({ reference_name, queuePosition }: Reservation): string =>
  queuePosition === null ? reference_name : `${reference_name}, rang ${queuePosition}`

const shown = (one: Reservation): readonly [label: string, value: string][] => [
  [labels.beneficiary_id, one.beneficiary_name],
  [labels.reference_id, one.reference_name],
  [labels.copy_id, one.copy_barcode ?? ''],
  [labels.start_date, dayOrNothing(one.start_date)],
  [labels.end_date, dayOrNothing(one.end_date)],
  [labels.site, one.site_name ?? ''],
  [labels.comment, one.comment],
  [labels.cycle_value, String(one.cycle_value ?? '')],
  ['Statut', reservationStatuses[one.status]],
]

export function differencesOf(before: Reservation, now: Reservation): Difference[] {
  const after = shown(now)
  return shown(before).flatMap(([label, was], at) => {
    const [, then = ''] = after[at] ?? []
    return was === then ? [] : [{ label, words: becameWords(was, then) }]
  })
}
