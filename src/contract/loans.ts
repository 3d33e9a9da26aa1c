import * as v from 'valibot'

import { copyStates, durationTypes, loanStatuses } from '../domain/loan-rules.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import {
  byId,
  count,
  day,
  dayOr,
  deviceId,
  flagInQuery,
  id,
  instant,
  item,
  linkTo,
  money,
  nothing,
  someLines,
  someText,
  text,
} from './wire.ts'

const keysOf = <K extends string>(record: Record<K, unknown>) => Object.keys(record) as [K, ...K[]]

export const durationType = v.picklist(keysOf(durationTypes), 'doit être MONTH, WEEK, DAY ou CYCLE')
export const copyState = v.picklist(keysOf(copyStates), 'doit être VERY_GOOD, GOOD, DAMAGED ou UNUSABLE')

/** When an action was done, perhaps off line. */
export const happened = {
  occurred_at: v.optional(instant),
  device_id: v.optional(deviceId),
}

export const loan = item('Loaning', {
  /** Null once its reader was forgotten. */
  beneficiary: v.nullable(id),
  beneficiary_info: v.string(),
  /** « Alice Martin (M1) ». */
  beneficiary_name: v.string(),
  relative: v.nullable(v.object({ id, name: v.string() })),
  copy: id,
  copy_barcode: v.string(),
  copy_state: copyState,
  reference: id,
  reference_name: v.string(),
  category: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  image_path: v.nullable(v.string()),
  site: id,
  start_date: day,
  end_date: day,
  expected_return_date: day,
  return_date: v.nullable(day),
  duration_value: v.number(),
  duration_type: durationType,
  amount: v.string(),
  free: v.boolean(),
  free_reason: v.nullable(v.object({ id, name: v.string() })),
  comment: v.string(),
  return_comment: v.string(),
  state: v.nullable(copyState),
  delay_reason: v.nullable(v.object({ id, name: v.string() })),
  delay_comment: v.string(),
  penalty_count: v.nullable(v.number()),
  penalty_duration: v.nullable(v.number()),
  penalty_amount: v.nullable(v.string()),
  penalty: v.nullable(v.object({ total: v.string() })),
  islate: v.boolean(),
  status: v.picklist(keysOf(loanStatuses)),
  override_reason: v.nullable(v.string()),
  /** True when the date told off line is not the one of the rules. */
  end_date_flagged: v.boolean(),
  /** Whether the loan conditions were handed over; null where the medium had none. */
  conditions_given: v.nullable(v.boolean()),
  /** Their words and the version of their file on the day of the loan. */
  conditions_label: v.nullable(v.string()),
  conditions_version: v.nullable(v.string()),
  reminded_on: v.nullable(day),
  lent_at: instant,
  lent_by: v.nullable(v.string()),
  returned_at: v.nullable(instant),
  returned_by: v.nullable(v.string()),
})
/** The reader of a loan in progress, which always has one. */
export function readerOf({ beneficiary }: Pick<Loan, 'beneficiary'>): number {
  if (beneficiary === null) throw new Error('a loan in progress has its reader')
  return beneficiary
}

export type Loan = v.InferOutput<typeof loan>

export const loanList = {
  filters: {
    id: filterBy.id,
    status: filterBy.choice(keysOf(loanStatuses)),
    islate: filterBy.flag,
    start_date: filterBy.day,
    end_date: filterBy.day,
    return_date: filterBy.day,
    beneficiary: filterBy.id,
    benefsearchname: filterBy.search,
    reference: filterBy.id,
    referencesearchname: filterBy.search,
    category: filterBy.id,
    medium: filterBy.id,
    copy: filterBy.id,
    copy_barcode: filterBy.number,
    site: filterBy.id,
  },
  orders: [
    'id',
    'start_date',
    'end_date',
    'return_date',
    'beneficiary_lastname',
    'reference_name',
    'copy_barcode',
    'category',
    'medium',
    'status',
    'amount',
  ],
  defaultOrder: ['start_date', 'desc'],
} as const satisfies ListShape

export const listLoans = endpoint({
  name: 'loanings.list',
  method: 'GET',
  path: '/api/loanings',
  access: 'LIST_LOANINGS',
  summary: 'Les prêts, par page',
  list: loanList,
  answer: collectionOf(loan),
})

export const getLoan = endpoint({
  name: 'loanings.get',
  method: 'GET',
  path: '/api/loanings/{id}',
  access: 'LIST_LOANINGS',
  summary: 'Un prêt',
  params: byId,
  answer: loan,
})

/** Beside which copy it is, and for whom. */
export const loanTerms = {
  relative: v.optional(v.nullable(linkTo('relatives'))),
  duration_type: v.optional(durationType),
  duration_value: v.optional(count(1, 1000)),
  start_date: v.optional(dayOr(undefined)),
  comment: v.optional(text(2000)),
  amount: v.optional(money),
  free: v.optional(v.boolean()),
  free_reason: v.optional(v.nullable(linkTo('reasons'))),
  /** The date told off line is kept, and flagged when the rules say otherwise. */
  expected_return_date: v.optional(dayOr(undefined)),
  override_reason: v.optional(someLines(500)),
  /** Whether the person was told who waits for the copy; false where it is absent. */
  despite_reservations: v.optional(v.boolean()),
  conditions_given: v.optional(v.boolean()),
  ...happened,
}

/** `freed_copy` was set aside for the reader, who left with another: it goes to the next, or back to its shelf. */
export const lentLoan = v.object({
  ...loan.entries,
  freed_copy: v.optional(v.object({ id, bar_code: v.string() })),
})
export type LentLoan = v.InferOutput<typeof lentLoan>

export const lendCopy = endpoint({
  name: 'loanings.lend',
  method: 'POST',
  path: '/api/loanings',
  access: 'LOANING_ADD',
  summary: 'Prêter un exemplaire',
  canWait: true,
  status: 201,
  body: v.pipe(
    v.strictObject({
      // A device that does not know them off line sends the codes that it read: a card, or a matricule, and a copy's label.
      beneficiary: v.optional(linkTo('beneficiaries')),
      beneficiary_code: v.optional(someText(64)),
      copy: v.optional(linkTo('copies')),
      copy_code: v.optional(someText(64)),
      ...loanTerms,
    }),
    v.forward(
      v.partialCheck(
        [['beneficiary'], ['beneficiary_code']],
        (told) => told.beneficiary !== undefined || told.beneficiary_code !== undefined,
        'est obligatoire, ou «\u00a0beneficiary_code\u00a0»',
      ),
      ['beneficiary'],
    ),
    v.forward(
      v.partialCheck(
        [['beneficiary'], ['beneficiary_code']],
        (told) => told.beneficiary === undefined || told.beneficiary_code === undefined,
        'ne va pas avec «\u00a0beneficiary\u00a0»',
      ),
      ['beneficiary_code'],
    ),
    v.forward(
      v.partialCheck(
        [['copy'], ['copy_code']],
        (told) => told.copy !== undefined || told.copy_code !== undefined,
        'est obligatoire, ou «\u00a0copy_code\u00a0»',
      ),
      ['copy'],
    ),
    v.forward(
      v.partialCheck(
        [['copy'], ['copy_code']],
        (told) => told.copy === undefined || told.copy_code === undefined,
        'ne va pas avec «\u00a0copy\u00a0»',
      ),
      ['copy_code'],
    ),
  ),
  answer: lentLoan,
})

export const updateLoan = endpoint({
  name: 'loanings.update',
  method: 'PUT',
  path: '/api/loanings/{id}',
  access: 'LOANING_EDIT',
  summary: 'Modifier un prêt',
  params: byId,
  body: v.strictObject({
    start_date: v.optional(dayOr(undefined)),
    comment: v.optional(text(2000)),
    duration_value: v.optional(count(1, 1000)),
    override_reason: v.optional(someLines(500)),
    /** Somebody waits for the copy, and whoever moves its return was told. */
    despite_reservations: v.optional(v.boolean()),
  }),
  answer: loan,
})

export const deleteLoan = endpoint({
  name: 'loanings.delete',
  method: 'DELETE',
  path: '/api/loanings/{id}',
  access: 'LOANING_DELETE',
  summary: 'Supprimer un prêt',
  params: byId,
  status: 204,
  answer: nothing,
})

export const cancelLoan = endpoint({
  name: 'loanings.cancel',
  method: 'POST',
  path: '/api/loanings/{id}/cancel',
  access: 'LOANING_EDIT',
  summary: 'Annuler un prêt en cours',
  params: byId,
  body: v.strictObject({ ...happened }),
  answer: loan,
})

export const extendLoan = endpoint({
  name: 'loanings.extend',
  method: 'POST',
  path: '/api/loanings/{id}/extend',
  access: 'LOANING_EDIT',
  summary: 'Prolonger un prêt',
  // It adds to the present duration.
  addsUp: true,
  params: byId,
  body: v.strictObject({
    duration_value: count(1, 1000),
    override_reason: v.optional(someLines(500)),
    /** Somebody waits for the copy, and whoever extends was told. */
    despite_reservations: v.optional(v.boolean()),
  }),
  answer: loan,
})

export const explainDelay = endpoint({
  name: 'loanings.delay',
  method: 'POST',
  path: '/api/loanings/{id}/delay',
  access: 'LOANING_EDIT',
  summary: 'Noter le motif d’un retard',
  params: byId,
  body: v.strictObject({
    delay_reason: v.optional(v.nullable(linkTo('reasons'))),
    delay_comment: v.optional(text(2000)),
  }),
  answer: loan,
})

export const fastLoan = endpoint({
  name: 'loanings.fast',
  method: 'POST',
  path: '/api/loanings/fast',
  access: 'LOANING_ADD',
  summary: 'Prêter d’un geste, aux conditions du support',
  status: 201,
  body: v.strictObject({ beneficiary: linkTo('beneficiaries'), copy: linkTo('copies'), ...happened }),
  answer: v.union([lentLoan, v.object({ error: v.string() })]),
})

export const getEligibility = endpoint({
  name: 'eligibility.get',
  method: 'GET',
  path: '/api/eligibility',
  access: 'LOANING_ADD',
  summary: 'Si un bénéficiaire peut emprunter un exemplaire',
  query: v.strictObject({
    beneficiary: linkTo('beneficiaries'),
    copy: linkTo('copies'),
    start_date: v.optional(dayOr(undefined)),
    explain: v.optional(flagInQuery),
  }),
  answer: v.union([
    v.boolean(),
    v.object({
      eligible: v.boolean(),
      reasons: v.array(v.object({ code: v.string(), message: v.string() })),
    }),
  ]),
})

export const loanEndpoints = [
  listLoans,
  getLoan,
  lendCopy,
  fastLoan,
  updateLoan,
  deleteLoan,
  cancelLoan,
  extendLoan,
  explainDelay,
  getEligibility,
]
