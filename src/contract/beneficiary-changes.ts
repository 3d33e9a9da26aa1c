import * as v from 'valibot'

import { readerKinds } from '../domain/age-bands.ts'
import {
  autocompleteBeneficiaries,
  beneficiary,
  getBeneficiary,
  listAgencies,
  listBeneficiaries,
  remindBeneficiary,
} from './beneficiaries.ts'
import { endpoint } from './endpoint.ts'
import { download, exportOf } from './files.ts'
import { collectionOf } from './list.ts'
import { readerId, relative } from './relatives.ts'
import {
  byId,
  count,
  day,
  dayOr,
  email,
  item,
  linkTo,
  noneOr,
  nothing,
  readVersion,
  someText,
  text,
} from './wire.ts'

// Apart from what the counter reads of readers before anything else.

export const exportBeneficiaries = exportOf(
  'beneficiaries',
  listBeneficiaries,
  ['xlsx', 'csv'],
  'Les bénéficiaires, dans un fichier',
)

/** A page of the size of a bank card. */
export const printCard = endpoint({
  name: 'beneficiaries.card',
  method: 'GET',
  path: '/api/beneficiaries/{id}/card',
  access: listBeneficiaries.access,
  summary: 'La carte d’un lecteur, à imprimer',
  params: byId,
  files: ['pdf'],
  answer: download,
})

export const mostCards = 1000

/** A4 sheets of ten cards. */
export const printCards = exportOf(
  'beneficiary_cards',
  listBeneficiaries,
  ['pdf'],
  `Les cartes de lecteurs, à imprimer\u202f: ${mostCards} au plus à la fois`,
)

/** A word of their own, or none. */
const word = v.optional(v.nullable(noneOr(someText(100))))

const writable = {
  lastname: someText(100),
  firstname: text(100),
  contract_type: word,
  beneficiary_status: word,
  dossiers: v.optional(v.pipe(v.array(someText(100)), v.maxLength(50, 'ne doit pas dépasser 50 éléments'))),
  agency_id: v.optional(v.nullable(linkTo('agencies'))),
  exit_date: v.optional(v.nullable(dayOr(null))),
  reader_id: v.optional(readerId),
  email: v.optional(email),
  phone: v.optional(v.nullable(text(40))),
  address: v.optional(v.nullable(text(500))),
  message: v.optional(text(1000)),
  kind: v.optional(v.picklist(readerKinds, 'doit être une personne ou une collectivité')),
  birth_year: v.optional(v.nullable(noneOr(count(1900, 2100)))),
  commune: word,
}
const matricule = someText(40)

export const addBeneficiary = endpoint({
  name: 'beneficiaries.add',
  method: 'POST',
  path: '/api/beneficiaries',
  access: 'BENEFICIARY_EDIT',
  summary: 'Ajouter un bénéficiaire\u202f; sans matricule, le suivant lui est donné',
  status: 201,
  body: v.strictObject({ ...writable, matricule: v.optional(noneOr(matricule)) }),
  answer: beneficiary,
})

export const updateBeneficiary = endpoint({
  name: 'beneficiaries.update',
  method: 'PUT',
  path: '/api/beneficiaries/{id}',
  access: 'BENEFICIARY_EDIT',
  summary:
    'Modifier un bénéficiaire (`number` change son numéro de lecteur)\u202f; `version` est celle que l’on a lue',
  params: byId,
  body: v.strictObject({
    ...v.partial(v.object({ ...writable, matricule })).entries,
    number: v.optional(readerId),
    version: readVersion,
  }),
  answer: beneficiary,
})

/** Each part as far as the caller may see it. */
export const getReaderData = endpoint({
  name: 'beneficiaries.data',
  method: 'GET',
  path: '/api/beneficiaries/{id}/data',
  access: listBeneficiaries.access,
  summary:
    'Tout ce qui est gardé d’un lecteur, pour le lui remettre\u202f: à lire par un programme ou à imprimer',
  params: byId,
  query: v.strictObject({
    export_type: v.optional(v.picklist(['json', 'pdf'], 'doit être json ou pdf'), 'json'),
  }),
  files: ['json', 'pdf'],
  answer: download,
})

/** What the law lets keep of them names them no more. */
export const eraseBeneficiary = endpoint({
  name: 'beneficiaries.erase',
  method: 'DELETE',
  path: '/api/beneficiaries/{id}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Effacer un lecteur pour toujours\u202f: rien ne le nomme plus, les chiffres restent',
  params: byId,
  status: 204,
  answer: nothing,
})

const nameOrNone = (longest: number) => v.optional(text(longest), '')

/** What is typed of a reader, and who has it already; `why` says what is the same. */
export const findTwins = endpoint({
  name: 'beneficiaries.twins',
  method: 'GET',
  path: '/api/beneficiaries/twins',
  access: 'BENEFICIARY_EDIT',
  summary: 'Les lecteurs de même nom et année de naissance, de même courriel ou de même numéro, cinq au plus',
  query: v.strictObject({
    lastname: nameOrNone(100),
    firstname: nameOrNone(100),
    birth_year: v.optional(v.pipe(v.string(), v.regex(/^(\d{4})?$/, 'doit être une année')), ''),
    email: nameOrNone(200),
    reader_id: nameOrNone(64),
    /** The reader who is being changed. */
    except: v.optional(byId.entries.id),
  }),
  answer: collectionOf(
    item('Beneficiary', {
      matricule: v.string(),
      lastname: v.string(),
      firstname: v.string(),
      birth_year: v.nullable(v.number()),
      exit_date: v.nullable(day),
      why: v.array(v.picklist(['name', 'email', 'number'])),
    }),
  ),
})

export const listCommunes = endpoint({
  name: 'beneficiaries.communes',
  method: 'GET',
  path: '/api/beneficiaries/communes',
  access: 'BENEFICIARY_ADDRESS',
  summary: 'Les communes déjà données à des lecteurs, les plus données d’abord',
  answer: collectionOf(v.object({ name: v.string() })),
})

export const addRelative = endpoint({
  name: 'relatives.add',
  method: 'POST',
  path: '/api/beneficiaries/{id}/relatives',
  access: 'BENEFICIARY_EDIT',
  summary: 'Ajouter un proche à un bénéficiaire, sous le nom de celui-ci s’il n’en a pas d’autre',
  params: byId,
  status: 201,
  body: v.strictObject({
    firstname: someText(100),
    lastname: v.optional(text(100), ''),
    reader_id: v.optional(readerId, null),
  }),
  answer: relative,
  addsUp: true,
})

export const updateRelative = endpoint({
  name: 'relatives.update',
  method: 'PUT',
  path: '/api/relatives/{id}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Changer le numéro de lecteur d’un proche\u202f; `was` est celui que l’on a lu',
  params: byId,
  body: v.strictObject({ number: readerId, was: v.optional(readerId) }),
  answer: relative,
})

export const removeRelative = endpoint({
  name: 'relatives.remove',
  method: 'DELETE',
  path: '/api/beneficiaries/{id}/relatives/{relative}',
  access: 'BENEFICIARY_EDIT',
  summary: 'Retirer un proche qui n’a pas de prêt en cours',
  params: v.strictObject({ ...byId.entries, relative: byId.entries.id }),
  status: 204,
  answer: nothing,
})

export const relativeEndpoints = [addRelative, updateRelative, removeRelative]

export const beneficiaryEndpoints = [
  listBeneficiaries,
  exportBeneficiaries,
  printCards,
  autocompleteBeneficiaries,
  findTwins,
  listCommunes,
  getBeneficiary,
  printCard,
  getReaderData,
  addBeneficiary,
  updateBeneficiary,
  eraseBeneficiary,
  remindBeneficiary,
  listAgencies,
]
