import * as v from 'valibot'

import { copyStatuses } from '../domain/loan-rules.ts'
import type { ReservationStatus } from '../domain/reservation-rules.ts'
import { endpoint } from './endpoint.ts'
import { exportOf } from './files.ts'
import { collectionOf, filterBy } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, count, day, dayOr, id, instant, linkTo, nothing, noneOr, text } from './wire.ts'

const reservationStatusCodes = [
  'waiting',
  'confirmed',
  'canceled',
  'refused',
] as const satisfies readonly ReservationStatus[]

const reads = 'LIST_RESERVATIONS'
const changes = 'RESERVATION_EDIT'

export const reservations = listed('reservations', 'Reservation', {
  words: ['une réservation', 'les réservations'],
  listedBy: reads,
  shown: {
    beneficiary_id: id,
    beneficiary_info: v.string(),
    beneficiary_name: v.string(),
    beneficiary_has_contact_email: v.boolean(),
    reference_id: id,
    reference_name: v.string(),
    medium: v.nullable(v.string()),
    image_path: v.nullable(v.string()),
    /** The copy that is wished for, or null for any of the title. */
    copy_id: v.nullable(id),
    copy_barcode: v.nullable(v.string()),
    start_date: v.nullable(day),
    end_date: v.nullable(day),
    status: v.picklist(reservationStatusCodes),
    source: v.picklist(['media', 'online']),
    reservation_date: instant,
    /** Its place among those that wait without dates, from 1. */
    queuePosition: v.nullable(v.number()),
    comment: v.string(),
    cycle_value: v.nullable(v.number()),
    /** Where it is fetched. */
    site: v.nullable(id),
    site_name: v.nullable(v.string()),
    /** The copy that is kept for the person, since when, and until which day. */
    set_aside_copy: v.nullable(id),
    set_aside_barcode: v.nullable(v.string()),
    /** « Disponible » on the shelf; it may be under way to where it is fetched, or lent to somebody else. */
    set_aside_status: v.nullable(v.picklist(copyStatuses)),
    /** Where that copy is, which may not be where it is fetched. */
    set_aside_site: v.nullable(id),
    set_aside_site_name: v.nullable(v.string()),
    set_aside_at: v.nullable(instant),
    pickup_until: v.nullable(day),
    /** The loan that served it. */
    fulfilled_by: v.nullable(id),
    /** Estimated: price by duration; null where the library does not ask for it. */
    amount: v.nullable(v.string()),
    /** Changes with whatever is asked for or decided, not with its place. */
    version: v.string(),
  },
  filters: {
    id: filterBy.id,
    benefsearchname: filterBy.search,
    referencesearchname: filterBy.search,
    beneficiary_id: filterBy.id,
    reference_id: filterBy.id,
    copy_id: filterBy.id,
    start_date: filterBy.day,
    end_date: filterBy.day,
    status: filterBy.choice(reservationStatusCodes),
    source: filterBy.choice(['media', 'online']),
    site: filterBy.id,
    /** Those that a loan has served, which are left out unless asked for. */
    served: filterBy.flag,
    set_aside: filterBy.flag,
    pickup_until: filterBy.day,
  },
  orders: [
    'reservation_date',
    'start_date',
    'end_date',
    'status',
    'source',
    'beneficiary_lastname',
    'reference_name',
    'queuePosition',
    'pickup_until',
    'id',
  ],
  defaultDirection: 'desc',
})
export type Reservation = ItemOf<typeof reservations>

export const exportReservations = exportOf(
  'reservations',
  reservations.list,
  ['xlsx', 'csv'],
  'Les réservations, dans un fichier',
)

export const getReservation = endpoint({
  name: 'reservations.get',
  method: 'GET',
  path: '/api/reservations/{id}',
  access: reads,
  summary: 'Une réservation',
  params: byId,
  answer: reservations.member,
})

const dayOrNone = v.nullable(noneOr(dayOr(null)))

/** Signs. */
export const longestComment = 2000

/** Both dates, or neither: then the person joins the title's queue. */
const asked = {
  copy_id: v.optional(v.nullable(linkTo('copies'))),
  start_date: v.optional(dayOrNone),
  end_date: v.optional(dayOrNone),
  site: v.optional(v.nullable(linkTo('sites'))),
  comment: v.optional(text(longestComment)),
  cycle_value: v.optional(v.nullable(count(1, 1000))),
}

export const addReservation = endpoint({
  name: 'reservations.add',
  method: 'POST',
  path: '/api/reservations',
  access: changes,
  summary: 'Réserver une référence pour un bénéficiaire',
  status: 201,
  // Where a person may have several, twice the same is two.
  addsUp: true,
  body: v.strictObject({
    beneficiary_id: linkTo('beneficiaries'),
    reference_id: linkTo('references'),
    ...asked,
    source: v.optional(v.picklist(['media', 'online'], 'doit être media ou online')),
  }),
  answer: reservations.member,
})

export const changeReservation = endpoint({
  name: 'reservations.change',
  method: 'PUT',
  path: '/api/reservations/{id}',
  access: changes,
  summary: 'Modifier une réservation, ou son statut par `status`\u202f; `version` est celle que l’on a lue',
  params: byId,
  body: v.strictObject({
    beneficiary_id: v.optional(linkTo('beneficiaries')),
    reference_id: v.optional(linkTo('references')),
    ...asked,
    status: v.optional(
      v.picklist(reservationStatusCodes, 'doit être waiting, confirmed, canceled ou refused'),
    ),
    /** With `confirmed`: the copy in hand, which is set aside; else one that is on the shelf. */
    set_aside_copy: v.optional(v.nullable(linkTo('copies'))),
    version: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/, 'n’est pas une version'))),
  }),
  answer: reservations.member,
})

export const removeReservation = endpoint({
  name: 'reservations.remove',
  method: 'DELETE',
  path: '/api/reservations/{id}',
  access: changes,
  summary: 'Supprimer une réservation faite par erreur\u202f: personne n’en est averti',
  params: byId,
  status: 204,
  answer: nothing,
})

export const getNextReader = endpoint({
  name: 'reservations.next_reader',
  method: 'GET',
  path: '/api/reservations/{id}/next_reader',
  access: changes,
  summary: 'Pour qui l’exemplaire mis de côté le serait ensuite',
  params: byId,
  /** Null where nobody waits for it. */
  answer: v.object({ beneficiary_name: v.nullable(v.string()) }),
})

export const passReservation = endpoint({
  name: 'reservations.pass',
  method: 'POST',
  path: '/api/reservations/{id}/pass',
  access: changes,
  summary:
    'Annuler une réservation qui n’est pas venue se retirer, et mettre l’exemplaire de côté pour la suivante',
  params: byId,
  body: v.strictObject({}),
  answer: v.object({ passed: reservations.member, next: v.nullable(reservations.member) }),
})

export const countWaiting = endpoint({
  name: 'reservations.count_waiting',
  method: 'GET',
  path: '/api/waiting_list/copy/{copy}',
  access: ['LIST_RESERVATIONS', 'LOANING_ADD', 'LOANING_RETURN', 'LOANING_EDIT'],
  summary: 'Combien de réservations en file d’attente cet exemplaire pourrait servir',
  params: v.strictObject({ copy: byId.entries.id }),
  answer: v.object({ count: v.number() }),
})

/** What is asked for and stands on the shelf: fetch this copy for this person. */
export const picked = v.object({
  reservation: id,
  beneficiary_info: v.string(),
  beneficiary_name: v.string(),
  queue_position: v.nullable(v.number()),
  start_date: v.nullable(day),
  /** Where it is fetched. */
  pickup_site: v.nullable(v.object({ id, name: v.string() })),
  copy: id,
  bar_code: v.string(),
  /** Where the copy is. */
  site: v.object({ id, name: v.string() }),
  /** Any other copy of the title would do as well. */
  is_any_copy: v.boolean(),
  reference_id: id,
  reference_name: v.string(),
  medium: v.nullable(v.string()),
  image_path: v.nullable(v.string()),
  location: v.nullable(v.string()),
  call_number: v.nullable(v.string()),
  /** It came back that day last; one that came back yesterday may not be on its shelf yet. */
  returned_on: v.nullable(day),
})
export type Picked = v.InferOutput<typeof picked>

export const listPicking = endpoint({
  name: 'reservations.picking',
  method: 'GET',
  path: '/api/reservations/picking',
  access: changes,
  summary: 'Ce qui est réservé et se trouve en rayon sur ce site, par emplacement et par cote',
  query: v.strictObject({ site: v.optional(linkTo('sites')) }),
  answer: collectionOf(picked),
})

export const reservationEndpoints = [
  reservations.list,
  exportReservations,
  listPicking,
  getReservation,
  addReservation,
  changeReservation,
  removeReservation,
  getNextReader,
  passReservation,
  countWaiting,
]
