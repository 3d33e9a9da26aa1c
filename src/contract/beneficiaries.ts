import * as v from 'valibot'

import { readerKinds } from '../domain/age-bands.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { relative } from './relatives.ts'
import { byId, day, flagInQuery, id, item, text } from './wire.ts'

/** The relative through whom `relative_search` finds a reader who is not found by their own name. */
const subId = v.nullable(id)

/** Contact and address are absent without their right. */
export const beneficiary = item('Beneficiary', {
  matricule: v.string(),
  lastname: v.string(),
  firstname: v.string(),
  kind: v.picklist(readerKinds),
  /** A year, never a full date: it is all that the yearly report asks. */
  birth_year: v.nullable(v.number()),
  /** `matricule - lastname firstname`, then the reader number if any. */
  label: v.string(),
  contract_type: v.nullable(v.string()),
  beneficiary_status: v.nullable(v.string()),
  dossiers: v.array(v.string()),
  agency: v.nullable(v.string()),
  agency_id: v.nullable(id),
  exit_date: v.nullable(day),
  is_active: v.boolean(),
  reader_id: v.nullable(v.string()),
  relatives: v.array(relative),
  sub_id: subId,
  wallet_amount: v.nullable(v.string()),
  message: v.string(),
  has_contact_email: v.boolean(),
  open_loans: v.number(),
  late_loans: v.number(),
  displayed: v.array(
    v.object({ name: v.string(), value: v.string(), tab: v.picklist(['personal', 'professional']) }),
  ),
  email: v.optional(v.nullable(v.string())),
  phone: v.optional(v.nullable(v.string())),
  address: v.optional(v.nullable(v.string())),
  commune: v.optional(v.nullable(v.string())),
  /** Another one once anything of the reader was written; a change may name the one it was made on. */
  version: v.string(),
})
export type Beneficiary = v.InferOutput<typeof beneficiary>

const beneficiaryList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    lastname: filterBy.text,
    firstname: filterBy.text,
    matricule: filterBy.number,
    reader_id: filterBy.number,
    contract_type: filterBy.text,
    /** The id of a remembered contract, whose name may have a comma. */
    contract: filterBy.id,
    agency: filterBy.id,
    exit_date: filterBy.day,
    created_at: filterBy.day,
    is_active: filterBy.flag,
  },
  orders: ['lastname', 'firstname', 'matricule', 'contract_type', 'agency', 'exit_date', 'id'],
  defaultOrder: ['lastname', 'asc'],
} as const satisfies ListShape

export const listBeneficiaries = endpoint({
  name: 'beneficiaries.list',
  method: 'GET',
  path: '/api/beneficiaries',
  access: 'LIST_BENEFICIARIES',
  summary: 'Les bénéficiaires, par page',
  list: beneficiaryList,
  answer: collectionOf(beneficiary),
})

export const getBeneficiary = endpoint({
  name: 'beneficiaries.get',
  method: 'GET',
  path: '/api/beneficiaries/{id}',
  access: 'LIST_BENEFICIARIES',
  summary: 'Un bénéficiaire',
  params: byId,
  answer: beneficiary,
})

/** With `relative_search`, a relative answers too, with their beneficiary. */
const beneficiaryChoice = item('Beneficiary', {
  label: v.string(),
  matricule: v.string(),
  lastname: v.string(),
  firstname: v.string(),
  /** Tells namesakes apart. */
  birth_year: v.nullable(v.number()),
  reader_id: v.nullable(v.string()),
  is_active: v.boolean(),
  relatives: v.array(relative),
  sub_id: subId,
})
export type BeneficiaryChoice = v.InferOutput<typeof beneficiaryChoice>

export const autocompleteBeneficiaries = endpoint({
  name: 'beneficiaries.autocomplete',
  method: 'GET',
  path: '/api/beneficiaries/autocomplete',
  access: 'LIST_BENEFICIARIES',
  summary: 'Dix bénéficiaires actifs au plus par page, par nom, matricule ou numéro de lecteur',
  // The best matches come first.
  list: { filters: {}, orders: [], defaultOrder: ['lastname', 'asc'], largestLimit: 10 } satisfies ListShape,
  query: v.strictObject({ searchname: text(100), with_inactive: v.optional(flagInQuery) }),
  answer: collectionOf(beneficiaryChoice),
})

export const remindBeneficiary = endpoint({
  name: 'beneficiaries.remind',
  method: 'POST',
  path: '/api/beneficiaries/{id}/remind',
  access: 'SEND_MAIL',
  summary: 'Relancer une personne par courriel\u202f: ses prêts en retard, ou ceux à rendre aujourd’hui',
  params: byId,
  status: 202,
  answer: v.object({ count: v.number() }),
})

const named = {
  filters: { id: filterBy.id, name: filterBy.text },
  orders: ['name', 'id'],
  defaultOrder: ['name', 'asc'],
} as const satisfies ListShape

export const listAgencies = endpoint({
  name: 'agencies.list',
  method: 'GET',
  path: '/api/agencies',
  access: 'signed-in',
  summary: 'Les agences (sites de rattachement des bénéficiaires)',
  list: named,
  answer: collectionOf(item('Agency', { name: v.string() })),
})
