import * as v from 'valibot'

import { endpoint } from './endpoint.ts'
import { filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { atMost, day, id, instant } from './wire.ts'

const access = 'PARAMETER_GENERAL'

/** What one day forgot. */
const forgettingDay = v.object({
  day,
  readers: v.number(),
  loans: v.number(),
  reservations: v.number(),
  mails: v.number(),
  journal_lines: v.number(),
  /** Null while it is at it. */
  ended_at: v.nullable(instant),
})
export type ForgettingDay = v.InferOutput<typeof forgettingDay>

const saidBy = v.object({ who: v.string(), at: instant })

const personalData = v.object({
  '@type': v.literal('PersonalData'),
  library: v.string(),
  /** Who said yes to the nightly forgetting, and when. */
  agreed: v.nullable(saidBy),
  /** Who suspended it since, and when; null while a yes holds. */
  suspended: v.nullable(saidBy),
  /** The last day before a gap after which the yes is asked for again; null while none is. */
  lapsed_since: v.nullable(day),
  /** Months after their end from which loans are cut from their readers. */
  retention_months: v.number(),
  /** 0: readers are never proposed. */
  retention_inactive_months: v.number(),
  journal_months: v.number(),
  /** Ended before `forgotten_before`, and linked to their readers still. */
  linked_loans: v.number(),
  forgotten_before: day,
  /** The last ones first. */
  days: v.array(forgettingDay),
  /** Which profiles may see what of readers, and how many people have each. */
  seen_by: v.array(
    v.object({
      profile: v.string(),
      people: v.number(),
      readers: v.boolean(),
      contact: v.boolean(),
      address: v.boolean(),
      history: v.boolean(),
    }),
  ),
})
export type PersonalData = v.InferOutput<typeof personalData>

export const getPersonalData = endpoint({
  name: 'personal_data.get',
  method: 'GET',
  path: '/api/personal_data',
  access,
  summary: 'Ce qui est gardé des lecteurs, qui peut le voir, et ce que l’oubli de chaque nuit a fait',
  answer: personalData,
})

export const agreeToForgetting = endpoint({
  name: 'personal_data.agree',
  method: 'POST',
  path: '/api/personal_data/agreement',
  access,
  summary:
    'Accorder l’oubli\u202f: chaque nuit, les prêts finis depuis assez longtemps sont coupés de leur lecteur',
  answer: personalData,
})

export const suspendForgetting = endpoint({
  name: 'personal_data.suspend',
  method: 'DELETE',
  path: '/api/personal_data/agreement',
  access,
  summary: 'Suspendre l’oubli\u202f: rien d’autre n’est coupé jusqu’à un nouvel accord',
  answer: personalData,
})

/** Those whom the library may let go: nothing lent, nothing waiting, nothing lent, extended nor returned for `retention_inactive_months`. */
export const inactiveReaders = listed('inactive_readers', 'InactiveReader', {
  words: [
    'un lecteur proposé à l’effacement',
    'les lecteurs sans prêt ni retour depuis longtemps, proposés à l’effacement',
  ],
  listedBy: access,
  shown: {
    matricule: v.string(),
    name: v.string(),
    contract_type: v.nullable(v.string()),
    agency: v.nullable(v.string()),
    exit_date: v.nullable(day),
    registered_on: day,
    /** The latest of lent, extended and returned; null for who never borrowed. */
    last_active_on: v.nullable(day),
    /** Other than nothing, it is to be settled first. */
    wallet_amount: v.nullable(v.string()),
    is_settled: v.boolean(),
  },
  filters: {
    id: filterBy.id,
    name: filterBy.search,
    contract_type: filterBy.text,
    is_settled: filterBy.flag,
  },
  orders: ['last_active_on', 'name', 'exit_date', 'registered_on', 'id'],
})
export type InactiveReader = ItemOf<typeof inactiveReaders>

const mostErased = 1000

export const eraseInactive = endpoint({
  name: 'inactive_readers.erase',
  method: 'POST',
  path: '/api/inactive_readers/erase',
  access,
  summary: `Effacer des lecteurs proposés, ${mostErased} au plus, en un acte qui ne s’annule pas`,
  body: v.strictObject({
    beneficiaries: v.pipe(atMost(mostErased, 'lecteurs', id), v.minLength(1, 'ne doit pas être vide')),
  }),
  status: 202,
  answer: v.object({ act: id, count: v.number() }),
})

export const personalDataEndpoints = [
  getPersonalData,
  agreeToForgetting,
  suspendForgetting,
  inactiveReaders.list,
  eraseInactive,
]
