import { collection } from '../../contract/list.ts'
import { type RawBuilder, sql } from 'kysely'

import { closures } from '../../contract/closures.ts'
import type { AnswerOf } from '../../contract/endpoint.ts'
import { readJournal as readJournalCall } from '../../contract/journal.ts'
import { type JournalledEntity, journalWords } from '../../contract/journal-words.ts'
import { listTypes } from '../../contract/list-types.ts'
import { listValues } from '../../contract/list-values.ts'
import { media } from '../../contract/media.ts'
import type { Resource } from '../../contract/resource.ts'
import { type SettingsListName, settingsLists } from '../../contract/settings-lists.ts'
import { fullName } from '../../domain/person-names.ts'
import { findVisibleBeneficiary } from '../beneficiaries/beneficiary-queries.ts'
import { findReference } from '../catalogue/reference-queries.ts'
import type { Db } from '../db/handles.ts'
import { missingOf } from '../http/bind-resource.ts'
import { accountName } from '../library-facts/person-names.ts'
import { read, type VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { done, forbidden, notFound, type Outcome } from '../http/outcome.ts'
import { findVisibleLoan } from '../loans/loan-rows.ts'
import { findReservation } from '../queue/reservation-queries.ts'
import { findVisibleSale } from '../sales/sale-queries.ts'
import { siteRows } from '../settings/save-site.ts'
import { visibleCopies, readerElsewhere } from '../visibility/visibility.ts'
import { findProfile } from '../users/profile-queries.ts'
import { findVisibleUser } from '../users/user-queries.ts'
import { changesInWords } from './changes-in-words.ts'

type Facts = Record<string, unknown> | null

type Journalled = {
  missing: string
  isVisible: (db: Db, id: number, exchange: Exchange) => Promise<boolean>
  /** Which lines j are about it. */
  lines: (id: number, exchange: Exchange) => RawBuilder<unknown>
  /** What tells a part of it, by its entity, from its other parts. */
  parts?: Record<string, (facts: Facts) => string>
  /** Fields of what is told under no name, for whoever may not see it. */
  hidden?: (db: Db, id: number, exchange: Exchange) => Promise<readonly string[]>
  /** What the library calls its fields, where it gave them a name. */
  names?: (db: Db) => Promise<ReadonlyMap<string, string>>
}

const own = (entity: string) => (id: number) => sql`j.entity = ${entity} and j.entity_id = ${id}`
/** What belongs to no site, and is hidden once it is removed. */
const kept = (of: Pick<Resource, 'name' | 'noun'>): Journalled => ({
  missing: missingOf(of),
  isVisible: async (db, id) => {
    const { rows } = await sql`
      select from ${sql.table(of.name)} where id = ${id} and deleted_at is null`.execute(db)
    return rows.length > 0
  },
  lines: own(of.name),
})
const listRecords = Object.fromEntries(settingsLists.map((of) => [of.name, kept(of)])) as Record<
  SettingsListName,
  Journalled
>
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

/** How each record whose journal is read is found; a new one has its words in contract/journal-words.ts. */
const journalledRecords: Record<JournalledEntity, Journalled> = {
  beneficiaries: {
    missing: 'Ce lecteur n’existe pas.',
    isVisible: async (db, id, exchange) => (await findVisibleBeneficiary(db, id, exchange)) !== null,
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
    isVisible: async (db, id, { visibility }) => (await findReference(db, id, visibility)) !== null,
    lines: (id, { visibility }) => sql`((j.entity = 'references' and j.entity_id = ${id})
      or (j.entity = 'copies' and j.entity_id in (
        select c.id from copies c where c.reference = ${id} and ${visibleCopies(visibility)})))`,
    parts: { copies: (facts) => textIn(facts?.['bar_code']) },
    names: namesOfReferenceFields,
  },
  reservations: {
    missing: 'Cette réservation n’existe pas.',
    isVisible: async (db, id, exchange) => (await findReservation(db, id, exchange)) !== null,
    lines: own('reservations'),
    hidden: async (db, id, exchange) =>
      (await findReservation(db, id, exchange))?.beneficiary_name === readerElsewhere
        ? ['beneficiary_name']
        : [],
  },
  loanings: {
    missing: 'Ce prêt n’existe pas.',
    isVisible: async (db, id, exchange) => (await findVisibleLoan(db, id, exchange)) !== null,
    lines: own('loanings'),
  },
  sales: {
    missing: 'Cette vente n’existe pas.',
    isVisible: async (db, id, { visibility }) => (await findVisibleSale(db, id, visibility)) !== null,
    lines: own('sales'),
  },
  media: kept(media),
  sites: {
    missing: 'Ce site n’existe pas.',
    isVisible: async (db, id) => (await siteRows.find(db, id)) !== null,
    lines: own('sites'),
  },
  users: {
    missing: 'Cet utilisateur n’existe pas.',
    isVisible: async (db, id, exchange) => (await findVisibleUser(db, id, exchange)) !== null,
    lines: own('users'),
  },
  closures: kept(closures),
  list_types: kept(listTypes),
  list_values: kept(listValues),
  ...listRecords,
  profiles: {
    missing: 'Ce profil n’existe pas.',
    isVisible: async (db, id) => (await findProfile(db, id)) !== null,
    lines: own('profiles'),
  },
}

type Line = {
  id: number
  at: string
  action: string
  entity: string
  before: Facts
  after: Facts
  who: string | null
  on_behalf_of: string | null
  device: string | null
}

/** What was changed of a record in sight, the latest first, without what the caller may not see. */
export async function readJournal(
  db: Db,
  { list, query }: Pick<VerbInput<typeof readJournalCall>, 'list' | 'query'>,
  exchange: Exchange,
): Promise<Outcome<AnswerOf<typeof readJournalCall>>> {
  const { entity, id } = query
  const { rights } = exchange.caller
  const words = journalWords[entity]
  const record = journalledRecords[entity]
  if (!words.changedBy.some((right) => rights.has(right))) return forbidden()
  if (!(await record.isVisible(db, id, exchange))) return notFound(record.missing)
  const where = record.lines(id, exchange)
  const { rows } = await sql<Line>`
    select j.id, j.at, j.action, j.entity, j.before, j.after,
      case when u.id is not null then ${accountName('u')} end as who,
      case when o.id is not null then ${accountName('o')} end as on_behalf_of,
      coalesce(nullif(d.name, ''), nullif(d.browser, '')) as device
    from audit_journal j
    left join users u on u.id = j.user_id
    left join users o on o.id = j.on_behalf_of
    left join devices d on d.device_id = j.device_id
    where ${where} order by j.id desc limit ${list.limit} offset ${(list.page - 1) * list.limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from audit_journal j where ${where}`.execute(db)
  const names = (await record.names?.(db)) ?? new Map<string, string>()
  const hidden = (await record.hidden?.(db, id, exchange)) ?? []
  const fields = Object.fromEntries(Object.entries(words.fields).filter(([key]) => !hidden.includes(key)))
  const members = rows.map(({ action, entity: of, before, after, ...line }) => {
    const named = words.actions[action] ?? (action === 'acts.undo' ? 'Annulation' : 'Modification')
    const part = record.parts?.[of]?.(after ?? before) ?? ''
    return {
      ...line,
      action: part === '' ? named : `${named}\u202f: ${part}`,
      changes: changesInWords(fields, { before, after, rights, names }),
    }
  })
  return done(collection(members, counted.rows[0]?.total ?? 0))
}

export const journalRoutes = [read(readJournalCall, readJournal)]
