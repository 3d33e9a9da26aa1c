import type { BodyOf } from '../../contract/endpoint.ts'
import { media, type MediumSettings } from '../../contract/media.ts'
import { missingLabel } from '../../domain/medium-rules.ts'
import { moneyTyped } from '../../domain/typed-money.ts'
import { faultsFrom } from '../ui/forms/faults-from.ts'
import type { Faults, Form } from '../ui/forms/use-fields.ts'

type CodeField = `analytic_${number}`

/** The fields as they are typed; each site has one for its analytic code. */
export type MediumFields = {
  name: string
  code: string
  accounting_code: string
  duration: number | string
  duration_type: string | null
  start_day: string | null
  end_day: string | null
  penalty_enabled: boolean
  penalty_amount: string
  penalty_duration_type: string | null
  max_loaning: number | string
  max_late: number | string
  max_renewals: number | string
  online_booking_enabled: boolean
  loaning_conditions_enabled: boolean
  loaning_conditions_label: string
  contracts: string[]
  statuses: string[]
  dossiers: string[]
} & { [field in CodeField]: string }
export type MediumForm = Form<keyof MediumFields>

type MediumBody = BodyOf<typeof media.add>

export const codeField = (site: number): CodeField => `analytic_${site}`

export const fieldsOf = (medium: MediumSettings | null, sites: readonly { id: number }[]): MediumFields => ({
  name: medium?.name ?? '',
  code: medium?.code ?? '',
  accounting_code: medium?.accounting_code ?? '',
  duration: medium?.duration ?? '',
  duration_type: medium?.duration_type ?? null,
  start_day: written(medium?.start_day),
  end_day: written(medium?.end_day),
  penalty_enabled: medium?.penalty_enabled ?? false,
  penalty_amount: medium?.penalty_amount?.replace('.', ',') ?? '',
  penalty_duration_type: medium?.penalty_duration_type ?? null,
  max_loaning: medium?.max_loaning ?? '',
  max_late: medium?.max_late ?? '',
  max_renewals: medium?.max_renewals ?? '',
  online_booking_enabled: medium?.online_booking_enabled ?? false,
  loaning_conditions_enabled: medium?.loaning_conditions_enabled ?? false,
  loaning_conditions_label: medium?.loaning_conditions_label ?? '',
  contracts: medium?.eligibility.contracts ?? [],
  statuses: medium?.eligibility.statuses ?? [],
  dossiers: medium?.eligibility.dossiers ?? [],
  ...Object.fromEntries(
    sites.map(({ id }) => [codeField(id), medium?.analytic.find(({ site }) => site === id)?.analytic ?? '']),
  ),
})

/** What is sent; a site out of use keeps the code it has. */
export function bodyOf(
  fields: MediumFields,
  medium: MediumSettings | null,
  sites: readonly { id: number }[],
): MediumBody {
  const { contracts, statuses, dossiers, penalty_enabled, penalty_amount } = fields
  const amount = moneyTyped(penalty_amount)
  const kept = medium?.analytic.filter(({ site }) => !sites.some(({ id }) => id === site)) ?? []
  const codes = sites.map(({ id }) => ({ site: id, analytic: (fields[codeField(id)] ?? '').trim() }))
  return {
    name: fields.name,
    code: fields.code,
    accounting_code: fields.accounting_code,
    duration: counted(fields.duration),
    duration_type: (fields.duration_type as MediumSettings['duration_type']) ?? null,
    start_day: numbered(fields.start_day),
    end_day: numbered(fields.end_day),
    penalty_enabled,
    // A penalty that is off sends none.
    penalty_amount: penalty_enabled && 'amount' in amount && penalty_amount !== '' ? amount.amount : null,
    penalty_duration_type: (fields.penalty_duration_type as MediumSettings['penalty_duration_type']) ?? null,
    max_loaning: counted(fields.max_loaning),
    max_late: counted(fields.max_late),
    max_renewals: counted(fields.max_renewals),
    online_booking_enabled: fields.online_booking_enabled,
    loaning_conditions_enabled: fields.loaning_conditions_enabled,
    loaning_conditions_label: fields.loaning_conditions_label,
    eligibility: { contracts, statuses, dossiers },
    analytic: [...kept, ...codes.filter(({ analytic }) => analytic !== '')],
  }
}

/** Only what differs, so that what a colleague changed meanwhile stays. */
export const changesOf = (body: MediumBody, before: MediumBody): Partial<MediumBody> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof MediumBody]),
    ),
  )

/** In the order of the dialog, for the first is said above it. */
export function faultsOf(fields: MediumFields, body: MediumBody): Faults {
  const { duration, duration_type, penalty_enabled, penalty_amount, penalty_duration_type } = fields
  const { name, ...others } = body
  const faults: Faults = faultsFrom(media.add.body, name === '' ? others : body)
  const add = (field: keyof MediumFields, fault: string | null | false) => {
    if (fault) faults[field] ??= fault
  }
  add('duration', duration === '' && duration_type !== null && 'Donnez la durée du prêt.')
  add('duration_type', duration !== '' && duration_type === null && 'Choisissez l’unité de la durée.')
  const amount = moneyTyped(penalty_amount)
  if (penalty_enabled) {
    add('penalty_amount', 'fault' in amount && amount.fault)
    add('penalty_amount', penalty_amount.trim() === '' && 'Donnez le montant de la pénalité.')
    add('penalty_duration_type', penalty_duration_type === null && 'Choisissez ce que compte la pénalité.')
  }
  add('loaning_conditions_label', missingLabel(fields))
  return faults
}

const written = (value: number | null | undefined): string | null => (value ? String(value) : null)
const numbered = (value: string | null): number | null => (value === null ? null : Number(value))
const counted = (value: number | string): number | null => (value === '' ? null : Number(value))
