import * as v from 'valibot'

import { copyStatuses } from '../domain/loan-rules.ts'
import { medium } from './media.ts'
import { endpoint } from './endpoint.ts'
import { copyState, durationType } from './loans.ts'
import { reasons } from './reasons.ts'
import { day, id, instant, uuid } from './wire.ts'

// Rows are short because 200,000 travel; `deleted` ones leave the device.

export const snapshotCopy = v.object({
  id,
  bar_code: v.string(),
  name: v.string(),
  reference: id,
  medium: v.nullable(id),
  status: v.picklist(copyStatuses),
  state: copyState,
  site: id,
  price: v.string(),
  type: v.picklist(['Location', 'Vente']),
  cycle_type: v.nullable(v.picklist(['DAY', 'WEEK', 'MONTH'])),
  cycle_value: v.nullable(v.number()),
  deleted: v.boolean(),
})
export type SnapshotCopy = v.InferOutput<typeof snapshotCopy>

export const snapshotBeneficiary = v.object({
  id,
  matricule: v.string(),
  lastname: v.string(),
  firstname: v.string(),
  reader_id: v.nullable(v.string()),
  contract_type: v.nullable(v.string()),
  beneficiary_status: v.nullable(v.string()),
  dossiers: v.array(v.string()),
  agency_id: v.nullable(id),
  exit_date: v.nullable(day),
  message: v.string(),
  relatives: v.array(v.object({ id, name: v.string(), reader_id: v.nullable(v.string()) })),
  deleted: v.boolean(),
})
export type SnapshotBeneficiary = v.InferOutput<typeof snapshotBeneficiary>

/** At a site closed to the person, a loan counts in the limits but tells no title, or no reader. */
export const snapshotLoan = v.object({
  id,
  loan_key: v.nullable(uuid),
  beneficiary: v.nullable(id),
  relative: v.nullable(id),
  copy: id,
  copy_barcode: v.string(),
  reference: id,
  reference_name: v.string(),
  medium: v.nullable(id),
  /** Null where it is closed to the person; devices of before have none. */
  site: v.optional(v.nullable(id)),
  start_date: day,
  end_date: day,
  duration_value: v.number(),
  duration_type: durationType,
  closed: v.boolean(),
})
export type SnapshotLoan = v.InferOutput<typeof snapshotLoan>

export const snapshotReservation = v.object({
  id,
  beneficiary_id: id,
  beneficiary_info: v.string(),
  beneficiary_name: v.optional(v.string()),
  reference_id: id,
  copy_id: v.nullable(id),
  set_aside_copy: v.nullable(id),
  start_date: v.nullable(day),
  end_date: v.nullable(day),
  queue_position: v.nullable(v.number()),
  /** Where it is fetched; devices of before have none. */
  site: v.optional(v.nullable(v.object({ id, name: v.string() }))),
  closed: v.boolean(),
})
export type SnapshotReservation = v.InferOutput<typeof snapshotReservation>

const weekday = v.number()
const openings = v.object({
  weeks: v.array(v.object({ site: id, weekdays: v.array(weekday) })),
  closures: v.array(v.object({ site: v.nullable(id), first_day: day, last_day: day })),
})

export const snapshotPage = v.object({
  /** Send it as `since` to get the next page, or later the changes. */
  cursor: v.string(),
  /** False while pages remain. */
  complete: v.boolean(),
  /** The device must forget what it held: its cursor is unknown, or this is a first page. */
  reset: v.boolean(),
  /** For progress. */
  total: v.number(),
  server_time: instant,
  settings: v.optional(
    v.object({
      media: v.array(medium),
      reasons: v.array(reasons.member),
      parameters: v.record(v.string(), v.string()),
      /** Of the sites open to the person; devices of before have none. */
      openings: v.optional(openings),
    }),
  ),
  copies: v.array(snapshotCopy),
  beneficiaries: v.array(snapshotBeneficiary),
  loanings: v.array(snapshotLoan),
  reservations: v.array(snapshotReservation),
})
export type SnapshotPage = v.InferOutput<typeof snapshotPage>

export const getSnapshot = endpoint({
  name: 'snapshot.get',
  method: 'GET',
  path: '/api/snapshot',
  access: ['LOANING_ADD', 'LOANING_RETURN'],
  summary: 'Ce qu’une tablette doit savoir pour prêter hors ligne, par pages puis par changements',
  query: v.strictObject({
    site: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'doit être l’identifiant d’un site'), v.transform(Number)),
    ),
    since: v.optional(v.pipe(v.string(), v.maxLength(200))),
  }),
  answer: snapshotPage,
})

/** Keys of actions that a device was told are done, at most so many at once. */
export const mostReceipts = 100

export const findLostReceipts = endpoint({
  name: 'snapshot.lost_receipts',
  method: 'GET',
  path: '/api/snapshot/lost_receipts',
  access: ['LOANING_ADD', 'LOANING_RETURN'],
  summary:
    'Lesquelles de ces actions confirmées ne sont plus connues, après une panne ou une reprise de la base',
  query: v.strictObject({
    keys: v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.array(uuid),
      v.maxLength(mostReceipts, `au plus ${mostReceipts} clés à la fois`),
    ),
  }),
  answer: v.object({ '@type': v.literal('LostReceipts'), keys: v.array(uuid) }),
})
