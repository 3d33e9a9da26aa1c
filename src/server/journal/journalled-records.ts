import { type RawBuilder, sql } from 'kysely'

import type { JournalledEntity } from '../../domain/journal-words.ts'
import { fullName } from '../../domain/person-names.ts'
import { findBeneficiaryInSight } from '../beneficiaries/beneficiary-queries.ts'
import { mediumRows } from '../catalogue/medium-queries.ts'
import { findReference } from '../catalogue/reference-queries.ts'
import type { Db } from '../db/handles.ts'
import type { Exchange } from '../http/exchange.ts'
import { findLoanInSight } from '../loans/loan-rows.ts'
import { findReservation } from '../queue/reservation-queries.ts'
import { findSaleInSight } from '../sales/sale-queries.ts'
import { siteRows } from '../settings/site-rows.ts'
import { copiesInSight, readerElsewhere } from '../sight/sight.ts'
import { findProfile } from '../users/profile-queries.ts'
import { findUserInSight } from '../users/user-queries.ts'

export type Facts = Record<string, unknown> | null

type Journalled = {
  missing: string
  isInSight: (db: Db, id: number, exchange: Exchange) => Promise<boolean>
  /** Which lines j are about it. */
  lines: (id: number, exchange: Exchange) => RawBuilder<unknown>
  /** What tells a part of it, by its entity, from its other parts. */
  parts?: Record<string, (facts: Facts) => string>
  /** Fields of what is told under no name, for whoever may not see it. */
  hidden?: (db: Db, id: number, exchange: Exchange) => Promise<readonly string[]>
  /** What the library calls its fields, where it gave them a name. */
  names?: (db: Db) => Promise<ReadonlyMap<string, string>>
}

const own = (entity: JournalledEntity) => (id: number) => sql`j.entity = ${entity} and j.entity_id = ${id}`
/** What belongs to no site, and is hidden once it is removed. */
const kept = (
  entity:
    | 'categories'
    | 'locations'
    | 'label_sheets'
    | 'closures'
    | 'label_printers'
    | 'keywords'
    | 'reasons'
    | 'list_types'
    | 'list_values',
  missing: string,
): Journalled => ({
  missing,
  isInSight: async (db, id) => {
    const { rows } = await sql`
      select from ${sql.table(entity)} where id = ${id} and deleted_at is null`.execute(db)
    return rows.length > 0
  },
  lines: own(entity),
})
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

async function namesOfReferenceFields(db: Db): Promise<ReadonlyMap<string, string>> {
  const fields = await db
    .selectFrom('reference_fields')
    .select(['code', 'traduction'])
    .where('traduction', '<>', '')
    .execute()
  // A field's code tells whether it is a tag or a datum: none is both.
  return new Map(
    fields.flatMap(({ code, traduction }) => [
      [`tags.${code}`, traduction],
      [`reference_data.${code}`, traduction],
    ]),
  )
}

/** How each record whose journal is read is found; a new one has its words in domain/journal-words.ts. */
export const journalledRecords: Record<JournalledEntity, Journalled> = {
  beneficiaries: {
    missing: 'Ce lecteur n’existe pas.',
    isInSight: async (db, id, exchange) => (await findBeneficiaryInSight(db, id, exchange)) !== null,
    lines: (id) => sql`((j.entity = 'beneficiaries' and j.entity_id = ${id})
      or (j.entity = 'relatives' and j.entity_id in (
        select rel.id from relatives rel where rel.beneficiary = ${id})))`,
    parts: {
      relatives: (facts) =>
        fullName({ firstname: textIn(facts?.['firstname']), lastname: textIn(facts?.['lastname']) }),
    },
  },
  references: {
    missing: 'Cette référence n’existe pas.',
    isInSight: async (db, id, { sight }) => (await findReference(db, id, sight)) !== null,
    lines: (id, { sight }) => sql`((j.entity = 'references' and j.entity_id = ${id})
      or (j.entity = 'copies' and j.entity_id in (
        select c.id from copies c where c.reference = ${id} and ${copiesInSight(sight)})))`,
    parts: { copies: (facts) => textIn(facts?.['bar_code']) },
    names: namesOfReferenceFields,
  },
  reservations: {
    missing: 'Cette réservation n’existe pas.',
    isInSight: async (db, id, exchange) => (await findReservation(db, id, exchange)) !== null,
    lines: own('reservations'),
    hidden: async (db, id, exchange) =>
      (await findReservation(db, id, exchange))?.beneficiary_name === readerElsewhere
        ? ['beneficiary_name']
        : [],
  },
  loanings: {
    missing: 'Ce prêt n’existe pas.',
    isInSight: async (db, id, exchange) => (await findLoanInSight(db, id, exchange)) !== null,
    lines: own('loanings'),
  },
  sales: {
    missing: 'Cette vente n’existe pas.',
    isInSight: async (db, id, { sight }) => (await findSaleInSight(db, id, sight)) !== null,
    lines: own('sales'),
  },
  media: {
    missing: 'Ce support n’existe pas.',
    isInSight: async (db, id) => (await mediumRows.find(db, id)) !== null,
    lines: own('media'),
  },
  sites: {
    missing: 'Ce site n’existe pas.',
    isInSight: async (db, id) => (await siteRows.find(db, id)) !== null,
    lines: own('sites'),
  },
  users: {
    missing: 'Cet utilisateur n’existe pas.',
    isInSight: async (db, id, exchange) => (await findUserInSight(db, id, exchange)) !== null,
    lines: own('users'),
  },
  categories: kept('categories', 'Cette catégorie n’existe pas.'),
  locations: kept('locations', 'Cet emplacement n’existe pas.'),
  closures: kept('closures', 'Cette fermeture n’existe pas.'),
  label_sheets: kept('label_sheets', 'Cette planche n’existe pas.'),
  label_printers: kept('label_printers', 'Cette imprimante n’existe pas.'),
  keywords: kept('keywords', 'Ce mot-clé n’existe pas.'),
  reasons: kept('reasons', 'Ce motif n’existe pas.'),
  list_types: kept('list_types', 'Cette fonction n’existe pas.'),
  list_values: kept('list_values', 'Cette valeur n’existe pas.'),
  profiles: {
    missing: 'Ce profil n’existe pas.',
    isInSight: async (db, id) => (await findProfile(db, id)) !== null,
    lines: own('profiles'),
  },
}
