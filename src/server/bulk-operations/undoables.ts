import { type RawBuilder, sql } from 'kysely'

import { type JournalledEntity, journalWords } from '../../contract/journal-words.ts'
import { undoWords } from '../acts/undo-words.ts'
import type { Undoable } from '../acts/undoable.ts'
import { undoReaders } from '../beneficiaries/undo-readers.ts'
import { undoCopies } from '../catalogue/undo-copies.ts'
import { undoReferences } from '../catalogue/undo-references.ts'
import { undoClosures } from '../closures/undo-closures.ts'
import { undoInventories } from '../inventories/undo-inventories.ts'
import { undoLoans } from '../loans/undo-loans.ts'
import { undoReservations } from '../queue/undo-reservations.ts'
import { undoWeeding } from '../weeding/undo-weeding.ts'

const ofReference = (column: 'category' | 'medium'): RawBuilder<unknown> => sql`exists (
  select from "references" r where r.${sql.ref(column)} = t.id and r.deleted_at is null)`
const inUse = 'Des références s’en servent.'
const taken = 'Un autre porte maintenant ce nom.'

/** What acts touch, by the entity of their journal. */
export const undoables = {
  beneficiaries: undoReaders,
  loanings: undoLoans,
  references: undoReferences,
  copies: undoCopies,
  inventories: undoInventories,
  closures: undoClosures,
  reservations: undoReservations,
  weeding: undoWeeding,
  categories: undoWords('categories', { used: ofReference('category'), inUse, taken }),
  media: undoWords('media', { used: ofReference('medium'), inUse, taken }),
  keywords: undoWords('keywords', {
    used: sql`exists (select from reference_keywords k join "references" r on r.id = k.reference
      where k.keyword = t.id and r.deleted_at is null)`,
    inUse,
    taken,
  }),
  list_types: undoWords('list_types', {
    used: sql`exists (select from list_values v where v.type = t.id and v.deleted_at is null)`,
    inUse: 'Elle a des valeurs.',
    taken,
  }),
  list_values: undoWords('list_values', {
    used: sql`exists (select from reference_list_values l join "references" r on r.id = l.reference
      where l.list_value = t.id and r.deleted_at is null)`,
    inUse,
    taken,
  }),
  locations: undoWords('locations', {
    used: sql`exists (select from copies c where c.location = t.id and c.deleted_at is null)`,
    inUse: 'Des exemplaires y sont.',
    taken,
  }),
} satisfies Record<string, Undoable>

export type UndoableEntity = keyof typeof undoables

export const isUndoable = (entity: string): entity is UndoableEntity => Object.hasOwn(undoables, entity)

/** In whose words a record is told: a copy's are those of its reference. */
export const wordsOfEntity = (entity: string) => {
  const told = entity === 'copies' ? 'references' : entity
  return Object.hasOwn(journalWords, told) ? journalWords[told as JournalledEntity] : null
}
