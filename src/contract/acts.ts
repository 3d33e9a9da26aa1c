import * as v from 'valibot'

import { actKindCodes, actKinds, begunActs } from '../domain/act-kinds.ts'
import { actRights as rights } from '../domain/act-rights.ts'
import type { Right } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { change } from './journal.ts'
import { collectionOf, filterBy, type ListShape } from './list.ts'
import { type ItemOf, listed } from './resource.ts'
import { byId, id, instant, someText } from './wire.ts'

/** The number of an act of the caller's, which a change is part of. */
export const actHeader = 'X-Act'

/** What was done to many records at once: who, when, how many, and what of it has been taken back. */
export const acts = listed('acts', 'Act', {
  words: ['un acte', 'ce qui a été fait à plusieurs éléments à la fois'],
  listedBy: rights,
  shown: {
    kind: v.picklist(actKindCodes),
    name: v.string(),
    who: v.string(),
    begun_at: instant,
    /** Null while it is under way. */
    ended_at: v.nullable(instant),
    /** Records it touched, and those of them that have been given back what they were. */
    touched: v.number(),
    undone: v.number(),
    /** Why it cannot be undone now, or null. */
    fixed: v.nullable(v.string()),
  },
  filters: { id: filterBy.id, kind: filterBy.choice(actKindCodes), begun_at: filterBy.day },
  orders: ['begun_at', 'id'],
  defaultDirection: 'desc',
})
export type Act = ItemOf<typeof acts>

export const getAct = endpoint({
  name: 'acts.get',
  method: 'GET',
  path: '/api/acts/{id}',
  access: rights,
  summary: 'Un acte',
  params: byId,
  answer: acts.member,
})

/** `left`: still as the act left it. `changed`: by somebody since, as `since` tells. */
const actRowStates = ['left', 'changed', 'undone'] as const

const actRow = v.object({
  /** Of its last line in the journal. */
  id,
  entity: v.string(),
  entity_id: id,
  name: v.string(),
  /** What was done, in words. */
  action: v.string(),
  changes: v.array(change),
  state: v.picklist(actRowStates),
  since: v.array(change),
  /** Why the last undoing left it as it is, in a sentence. */
  kept: v.nullable(v.string()),
})
export type ActRow = v.InferOutput<typeof actRow>

export const listActRows = endpoint({
  name: 'acts.rows',
  method: 'GET',
  path: '/api/acts/{id}/rows',
  access: rights,
  summary: 'Ce qu’un acte a touché, un à un\u202f: ce qu’il en a fait, et ce qui en a été changé depuis',
  params: byId,
  list: {
    filters: { undone: filterBy.flag },
    orders: ['id'],
    defaultOrder: ['id', 'asc'],
    largestLimit: 100,
  } satisfies ListShape,
  answer: collectionOf(actRow),
})

export const beginAct = endpoint({
  name: 'acts.begin',
  method: 'POST',
  path: '/api/acts',
  access: [...new Set(begunActs.flatMap((kind): readonly Right[] => actKinds[kind].rights))],
  summary: 'Commencer un acte, que les changements suivants nomment par X-Act',
  body: v.strictObject({ kind: v.picklist(begunActs), name: someText(200) }),
  answer: acts.member,
  status: 201,
})

export const undoAct = endpoint({
  name: 'acts.undo',
  method: 'POST',
  path: '/api/acts/{id}/undo',
  access: rights,
  summary: 'Rendre à ce qu’un acte a touché, et que personne n’a changé depuis, son état d’avant',
  params: byId,
  answer: acts.member,
  status: 202,
})

export const actEndpoints = [acts.list, getAct, listActRows, beginAct, undoAct]
