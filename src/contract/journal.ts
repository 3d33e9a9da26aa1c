import * as v from 'valibot'

import { type JournalledEntity, journalWords } from './journal-words.ts'
import type { Right } from '../domain/rights.ts'
import { endpoint } from './endpoint.ts'
import { collectionOf, type ListShape } from './list.ts'
import { byId, id, instant } from './wire.ts'

const entities = Object.keys(journalWords) as [JournalledEntity, ...JournalledEntity[]]

/** Both values are in words; null is an empty one. */
export const change = v.object({
  field: v.string(),
  before: v.nullable(v.string()),
  after: v.nullable(v.string()),
})

export type FieldChange = v.InferOutput<typeof change>

const journalLine = v.object({
  id,
  at: instant,
  /** What was done, in words. */
  action: v.string(),
  who: v.nullable(v.string()),
  /** Whose action it was, where somebody took it over. */
  on_behalf_of: v.nullable(v.string()),
  device: v.nullable(v.string()),
  changes: v.array(change),
})
export type JournalLine = v.InferOutput<typeof journalLine>

/** Read with the right that changes the record. */
export const readJournal = endpoint({
  name: 'journal.list',
  method: 'GET',
  path: '/api/journal',
  access: [...new Set(entities.flatMap((entity): readonly Right[] => journalWords[entity].changedBy))],
  summary: 'Ce qui a été changé d’un élément\u202f: quand, par qui, sur quel appareil, avant et après',
  list: { filters: {}, orders: [], defaultOrder: ['at', 'desc'] } satisfies ListShape,
  query: v.strictObject({
    entity: v.picklist(entities, `doit être ${entities.join(', ')}`),
    id: byId.entries.id,
  }),
  answer: collectionOf(journalLine),
})
