import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { byId, day, dayOr, flagInQuery, id, item, linkTo, someText, text } from './wire.ts'

const readerId = v.nullable(someText(64))

/** `text` repeats the name, as file 2, section 3, calls it. */
export const relative = item('Relative', {
  name: v.string(),
  text: v.string(),
  reader_id: v.nullable(v.string()),
})
export type Relative = v.InferOutput<typeof relative>

/** Contact and address are absent without their right. */
export const beneficiary = item('Beneficiary', {
  matricule: v.string(),
  lastname: v.string(),
  firstname: v.string(),
  /** `matricule - lastname firstname`, then the reader number if any (file 2, section 9). */
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
})
export type Beneficiary = v.InferOutput<typeof beneficiary>

export const beneficiaryList = {
  filters: {
    id: filterBy.id,
    searchname: filterBy.search,
    lastname: filterBy.text,
    firstname: filterBy.text,
    matricule: filterBy.number,
    reader_id: filterBy.number,
    contract_type: filterBy.text,
    agency: filterBy.id,
    exit_date: filterBy.day,
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
export const beneficiaryChoice = item('Beneficiary', {
  label: v.string(),
  matricule: v.string(),
  lastname: v.string(),
  firstname: v.string(),
  reader_id: v.nullable(v.string()),
  is_active: v.boolean(),
  relatives: v.array(relative),
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

const email = v.pipe(text(200), v.email('doit être une adresse électronique'))

const writable = {
  matricule: someText(40),
  lastname: someText(100),
  firstname: text(100),
  contract_type: v.optional(v.nullable(someText(100))),
  beneficiary_status: v.optional(v.nullable(someText(100))),
  dossiers: v.optional(v.pipe(v.array(someText(100)), v.maxLength(50, 'ne doit pas dépasser 50 éléments'))),
  agency_id: v.optional(v.nullable(linkTo('agencies'))),
  exit_date: v.optional(v.nullable(dayOr(null))),
  reader_id: v.optional(readerId),
  email: v.optional(v.nullable(email)),
  phone: v.optional(v.nullable(text(40))),
  address: v.optional(v.nullable(text(500))),
  message: v.optional(text(1000)),
}

export const addBeneficiary = endpoint({
  name: 'beneficiaries.add',
  method: 'POST',
  path: '/api/beneficiaries',
  access: 'BENEFICIARY_EDIT',
  summary: 'Ajouter un bénéficiaire',
  status: 201,
  body: v.strictObject(writable),
  answer: beneficiary,
})

export const updateBeneficiary = endpoint({
  name: 'beneficiaries.update',
  method: 'PUT',
  path: '/api/beneficiaries/{id}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Modifier un bénéficiaire (`number` change son numéro de lecteur)',
  params: byId,
  body: v.strictObject({ ...v.partial(v.object(writable)).entries, number: v.optional(readerId) }),
  answer: beneficiary,
})

export const updateRelative = endpoint({
  name: 'relatives.update',
  method: 'PUT',
  path: '/api/relatives/{id}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Changer le numéro de lecteur d’un proche',
  params: byId,
  body: v.strictObject({ number: readerId }),
  answer: relative,
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

export const listEligibilityValues = endpoint({
  name: 'eligibility.values',
  method: 'GET',
  path: '/api/eligibility/list/{kind}',
  access: 'signed-in',
  summary: 'Les contrats, statuts ou dossiers qui servent à l’éligibilité',
  params: v.strictObject({ kind: v.picklist(['CONTRACT', 'BENEFICIAIRE_STATUS', 'DOSSIER_TYPE']) }),
  list: named,
  query: v.strictObject({ inUse: v.optional(flagInQuery) }),
  answer: collectionOf(item('EligibilityValue', { name: v.string() })),
})

export const beneficiaryEndpoints = [
  listBeneficiaries,
  autocompleteBeneficiaries,
  getBeneficiary,
  addBeneficiary,
  updateBeneficiary,
  updateRelative,
  remindBeneficiary,
  listAgencies,
  listEligibilityValues,
]
