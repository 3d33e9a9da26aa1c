import { type RawBuilder, sql } from 'kysely'

import { type JournalledEntity, journalWords } from '../../contract/journal-words.ts'
import { journal } from '../http/journal.ts'
import { forgetOpenings } from '../library-facts/openings.ts'
import { queueLocked } from '../queue/lock-queue.ts'
import { findReservation, getReservation } from '../queue/reservation-queries.ts'
import { maySetDaysOf, isSiteOpen } from '../visibility/visibility.ts'
import { undoCopies } from './undo-copies.ts'
import { undoLoans } from './undo-loans.ts'
import { undoReaders } from './undo-readers.ts'
import { undoReferences } from './undo-references.ts'
import { undoWeeding } from './undo-weeding.ts'
import { undoWords } from './undo-words.ts'
import { type Undoable, type Facts, someOf } from './undoable.ts'

/** Shelf deadlines that a closure moved; what else becomes of a reservation is decided one by one. */
const undoReservations: Undoable = {
  nameOf: ({ reference_name, beneficiary_name }) =>
    [reference_name, beneficiary_name].filter((name) => typeof name === 'string').join(' · '),

  lock: async (trx, ids) => {
    // Queues before reservations, as everybody who decides on one takes them.
    await sql`select ${queueLocked(sql`awaited.reference_id`)} from (
      select distinct reference_id from reservations where id = any(${[...ids]}::int[]) order by 1) awaited`.execute(
      trx,
    )
    return sql`select from reservations where id = any(${[...ids]}::int[]) order by id for update`.execute(
      trx,
    )
  },

  read: async (trx, ids, exchange) => {
    const found = new Map<number, Facts>()
    for (const id of ids) {
      const reservation = await findReservation(trx, id, exchange)
      if (reservation) found.set(id, reservation)
    }
    return found
  },

  own: (facts) => someOf(facts, ['status', 'set_aside_copy', 'pickup_until', 'fulfilled_by']),

  takeAway: () => Promise.resolve(new Map()),

  giveBack: async (trx, { id, before, now }, exchange) => {
    if (now['set_aside_copy'] === null) return 'Plus rien n’est mis de côté pour cette réservation.'
    await trx
      .updateTable('reservations')
      .set({ pickup_until: before['pickup_until'] as string | null })
      .where('id', '=', id)
      .execute()
    await journal(trx, exchange, {
      action: 'reservations.move_back',
      entity: 'reservations',
      entity_id: id,
      before: now,
      after: await getReservation(trx, id, exchange),
    })
    return null
  },

  bringBack: () => Promise.resolve('Une réservation retirée ne se rétablit pas ainsi.'),
}

type Row = { id: number; name: string; site: number; status: string }

/** An inventory that was applied is open again, with all its scans. */
const undoInventories: Undoable = {
  nameOf: ({ name }) => String(name),

  lock: (trx, ids) =>
    sql`select from inventories where id = any(${ids}::int[]) order by id for update`.execute(trx),

  read: async (trx, ids, { visibility }) => {
    const { rows } = await sql<Row>`
      select id, name, site, status from inventories
      where id = any(${ids}::int[]) and deleted_at is null order by id`.execute(trx)
    return new Map(
      rows.filter(({ site }) => isSiteOpen(visibility, site)).map((row): [number, Facts] => [row.id, row]),
    )
  },

  own: (facts) => someOf(facts, ['status']),

  takeAway: (_trx, ids) =>
    Promise.resolve(new Map(ids.map((id) => [id, 'Un inventaire se supprime à part.']))),

  giveBack: async (trx, { id, before, now }, exchange) => {
    await sql`delete from inventory_findings where inventory = ${id}`.execute(trx)
    await sql`
      update inventories set status = ${before['status']}::text, ended_at = null, act = null, expected = null, seen = null,
        places = null, date_update = ${exchange.now.toISOString()} where id = ${id}`.execute(trx)
    await journal(trx, exchange, {
      action: 'inventories.reopen',
      entity: 'inventories',
      entity_id: id,
      before: now,
      after: { ...now, status: before['status'] },
    })
    return null
  },

  bringBack: () => Promise.resolve('Un inventaire supprimé ne se rétablit pas ainsi.'),
}

const asWords = undoWords('closures', { used: sql`false`, inUse: '', taken: '' })

/** Closures, each of whoever sets the days of its site. */
const undoClosures: Undoable = {
  ...asWords,
  read: async (trx, ids, exchange) => {
    const found = await asWords.read(trx, ids, exchange)
    return new Map(
      [...found].filter(([, { site }]) =>
        maySetDaysOf(exchange.visibility, site === null ? null : Number(site)),
      ),
    )
  },
  takeAway: async (trx, ids, exchange) => {
    forgetOpenings(exchange.environment)
    return asWords.takeAway(trx, ids, exchange)
  },
}

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
