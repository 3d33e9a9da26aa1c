import * as v from 'valibot'

import { findingActionCodes, findingActions, findingGroups, scanVerdicts } from '../domain/inventory.ts'
import { copyStatuses } from '../domain/loan-rules.ts'
import { noun } from '../domain/noun.ts'
import { acts } from './acts.ts'
import { endpoint } from './endpoint.ts'
import { download } from './files.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { endpointsOf, type ItemOf, resource } from './resource.ts'
import { atMost, byId, count, day, id, instant, linkTo, someText, text, uuid } from './wire.ts'

const access = 'INVENTORY'

/** `applied` and `given_up` are over; a scan that comes later is kept all the same, and told as late. */
export const inventoryStatuses = ['open', 'paused', 'applied', 'given_up'] as const
export type InventoryStatus = (typeof inventoryStatuses)[number]

/** At most so many places, categories or media narrow an inventory. */
const mostOf = 200

/** A count of the copies of a site, or of some of its places, categories or media. */
export const inventories = resource('inventories', 'Inventory', {
  noun: noun('inventaire', 'm'),
  listedBy: access,
  changedBy: access,
  written: {
    name: someText(100),
    site: linkTo('sites'),
    /** Each list narrows it; an empty one says all. */
    locations: v.optional(atMost(mostOf, 'emplacements', linkTo('locations')), []),
    categories: v.optional(atMost(mostOf, 'catégories', linkTo('categories')), []),
    media: v.optional(atMost(mostOf, 'supports', linkTo('media')), []),
  },
  shown: {
    locations: v.array(id),
    categories: v.array(id),
    media: v.array(id),
    site_name: v.string(),
    status: v.picklist(inventoryStatuses),
    /** Copies to be counted now, without those on loan or on their way, and those of them that were seen. */
    expected: v.number(),
    seen: v.number(),
    /** Everything that was scanned, whatever it was. */
    scans: v.number(),
    who: v.string(),
    created_at: instant,
    ended_at: v.nullable(instant),
    act: v.nullable(id),
    /** Of what was to be applied, what had changed since and was left alone; null before. */
    left_alone: v.nullable(v.number()),
  },
  filters: {
    id: filterBy.id,
    site: filterBy.id,
    status: filterBy.choice(inventoryStatuses),
    name: filterBy.text,
  },
  orders: ['created_at', 'name', 'id'],
  defaultDirection: 'desc',
})
export type Inventory = ItemOf<typeof inventories>

export const getInventory = endpoint({
  name: 'inventories.get',
  method: 'GET',
  path: '/api/inventories/{id}',
  access,
  summary: 'Un inventaire',
  params: byId,
  answer: inventories.member,
})

export const setInventoryStatus = endpoint({
  name: 'inventories.status',
  method: 'PUT',
  path: '/api/inventories/{id}/status',
  access,
  summary: 'Suspendre, reprendre ou abandonner un inventaire',
  params: byId,
  body: v.strictObject({ status: v.picklist(['open', 'paused', 'given_up']) }),
  answer: inventories.member,
})

/** What a phone must know of a copy to judge its scan by itself; rows are short because 50,000 travel. */
const inventoryCopy = v.object({
  id,
  bar_code: v.string(),
  name: v.string(),
  call_number: v.nullable(v.string()),
  /** By its name, for the colour of its cover: an image would weigh more than the row. */
  medium: v.nullable(v.string()),
  site: id,
  location: v.nullable(id),
  status: v.picklist(copyStatuses),
  deleted: v.boolean(),
  /** Whether this inventory counts it. */
  expected: v.boolean(),
})
export type InventoryCopy = v.InferOutput<typeof inventoryCopy>

/** Pages of so many copies travel to a phone. */
export const copiesPerPage = 2000

export const listInventoryCopies = endpoint({
  name: 'inventories.copies',
  method: 'GET',
  path: '/api/inventories/{id}/copies',
  access,
  summary: 'Les exemplaires du site d’un inventaire, pour un téléphone qui compte hors ligne',
  params: byId,
  query: v.strictObject({
    /** The last id that was received. */
    after: v.optional(
      v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'doit être un identifiant'), v.transform(Number)),
    ),
  }),
  answer: v.object({ copies: v.array(inventoryCopy), total: v.number(), complete: v.boolean() }),
})

const scanWays = ['scanner', 'camera', 'hand'] as const

const written = {
  /** Made by the phone with the gesture: a scan sent twice is one. */
  key: uuid,
  /** As it was read; null for a copy that was ticked in a list. */
  bar_code: v.nullable(someText(100)),
  copy: v.nullable(id),
  /** The shelf it was scanned on. */
  location: v.nullable(id),
  scanned_at: instant,
  way: v.picklist(scanWays),
  /** What is written on it, where nobody's label says the code. */
  note: text(200),
  /** It was a mistake: it counts no more. */
  taken_back: v.boolean(),
}

const sent = {
  ...written,
  /** How often its note or withdrawal changed: what the network holds back undoes nothing that was said after it. */
  revision: v.optional(count(0, 1_000_000), 0),
}

const scan = v.object({
  ...written,
  verdict: v.picklist(scanVerdicts),
  /** The title of the copy, or null of none. */
  name: v.nullable(v.string()),
  copy_barcode: v.nullable(v.string()),
  who: v.string(),
  device_id: v.nullable(v.string()),
  /** It came when the inventory was over. */
  is_late: v.boolean(),
})
export type InventoryScan = v.InferOutput<typeof scan>

/** A phone sends so many at a time. */
export const scansPerCall = 200

export const sendScans = endpoint({
  name: 'inventories.scan',
  method: 'POST',
  path: '/api/inventories/{id}/scans',
  access,
  summary:
    'Compter des exemplaires\u202f: un scan déjà reçu n’est pas compté deux fois, sa note et son retrait le suivent',
  params: byId,
  body: v.strictObject({
    scans: v.pipe(atMost(scansPerCall, 'scans', v.strictObject(sent)), v.nonEmpty('ne doit pas être vide')),
  }),
  answer: v.object({ scans: v.array(scan) }),
})

export const listScans = endpoint({
  name: 'inventories.scans',
  method: 'GET',
  path: '/api/inventories/{id}/scans',
  access,
  summary: 'Ce qui a été scanné depuis un curseur, par tous les téléphones',
  params: byId,
  query: v.strictObject({ since: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  answer: v.object({
    scans: v.array(scan),
    /** Send it as `since` for what comes next. */
    cursor: v.string(),
    complete: v.boolean(),
  }),
})

export const getInventoryProgress = endpoint({
  name: 'inventories.progress',
  method: 'GET',
  path: '/api/inventories/{id}/progress',
  access,
  summary: 'Où en est un inventaire, par emplacement et par personne',
  params: byId,
  answer: v.object({
    locations: v.array(
      v.object({
        /** Null: copies without a place. */
        location: v.nullable(id),
        label: v.nullable(v.string()),
        expected: v.number(),
        seen: v.number(),
      }),
    ),
    people: v.array(
      v.object({
        who: v.string(),
        device_id: v.nullable(v.string()),
        /** Its name; empty where nobody gave it one. */
        device: v.string(),
        scans: v.number(),
        last_at: instant,
      }),
    ),
  }),
})

const finding = v.object({
  /** Of the copy, or of the scan where there is none. */
  key: v.string(),
  group: v.picklist(findingGroups),
  copy: v.nullable(id),
  bar_code: v.string(),
  name: v.nullable(v.string()),
  call_number: v.nullable(v.string()),
  medium: v.nullable(v.string()),
  image_path: v.nullable(v.string()),
  /** Where it should be, and where it was scanned. */
  location_label: v.nullable(v.string()),
  seen_location: v.nullable(id),
  seen_location_label: v.nullable(v.string()),
  /** Of another site. */
  site_name: v.string(),
  scanned_at: v.nullable(instant),
  scanned_by: v.nullable(v.string()),
  note: v.string(),
  /** Before this inventory: counted, lent or returned. */
  last_seen_on: v.nullable(day),
  last_loan_on: v.nullable(day),
  last_borrower: v.nullable(v.string()),
  /** What an applied inventory did about it, or was to do; null for what was left as it is. */
  action: v.nullable(v.picklist(findingActionCodes)),
  /** `left`: it had changed since. Null while it is under way. */
  outcome: v.nullable(v.picklist(['done', 'left'])),
})
export type Finding = v.InferOutput<typeof finding>

export const listFindings = endpoint({
  name: 'inventories.findings',
  method: 'GET',
  path: '/api/inventories/{id}/findings',
  access,
  summary: 'Ce qu’un inventaire a trouvé d’autre que prévu, à examiner',
  params: byId,
  list: {
    filters: { group: filterBy.choice(findingGroups), location: filterBy.id, name: filterBy.text },
    orders: ['bar_code', 'name', 'call_number', 'location_label', 'scanned_at', 'last_seen_on'],
    defaultOrder: ['call_number', 'asc'],
  } satisfies ListShape,
  answer: v.object({
    ...collectionOf(finding).entries,
    groups: v.record(v.picklist(findingGroups), v.number()),
  }),
})

/** What is done about a group; `except` are the keys of findings left alone, `only` the others left alone. */
const applied = <const A extends readonly string[]>(actions: A) =>
  v.optional(
    v.strictObject({
      action: v.picklist(actions),
      except: v.optional(atMost(50_000, 'exceptions', someText(100)), []),
      only: v.optional(atMost(50_000, 'choix', someText(100))),
    }),
  )

export const applyInventory = endpoint({
  name: 'inventories.apply',
  method: 'POST',
  path: '/api/inventories/{id}/apply',
  access,
  summary: 'Appliquer ce qui a été choisi d’un inventaire, en un acte qui s’annule',
  params: byId,
  body: v.strictObject({
    missing: applied(findingActions.missing),
    misplaced: applied(findingActions.misplaced),
    on_shelf: applied(findingActions.on_shelf),
    found_again: applied(findingActions.found_again),
    withdrawn: applied(findingActions.withdrawn),
  }),
  answer: acts.member,
  status: 202,
})

export const exportInventory = endpoint({
  name: 'inventories.export',
  method: 'GET',
  path: '/api/inventories/{id}/report',
  access,
  summary: 'Le rapport d’un inventaire, dans un fichier',
  params: byId,
  query: v.strictObject({
    export_type: v.optional(v.picklist(['xlsx', 'pdf', 'csv'], 'doit être xlsx, pdf, csv'), 'xlsx'),
  }),
  files: ['xlsx', 'pdf', 'csv'],
  answer: download,
})

export const inventoryEndpoints = [
  ...endpointsOf(inventories),
  getInventory,
  setInventoryStatus,
  listInventoryCopies,
  sendScans,
  listScans,
  getInventoryProgress,
  listFindings,
  applyInventory,
  exportInventory,
]
