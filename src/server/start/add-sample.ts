import { sql } from 'kysely'

import type { addSample as addSampleCall, StartState } from '../../contract/start.ts'
import type { Right } from '../../domain/rights.ts'
import { addReferences } from '../catalogue/add-references.ts'
import { addMedium } from '../catalogue/save-medium.ts'
import type { Trx } from '../db/handles.ts'
import type { Database } from '../db/schema.ts'
import { demonstrationMedia } from '../demonstration/demonstration-media.ts'
import { inventReaders, type Reader } from '../demonstration/invent-readers.ts'
import { seededRandom } from '../demonstration/random.ts'
import { readWorks, type Work } from '../demonstration/read-works.ts'
import type { VerbInput } from '../http/binding.ts'
import type { Exchange } from '../http/exchange.ts'
import { journal } from '../http/journal.ts'
import { conflict, done, forbidden, type Outcome } from '../http/outcome.ts'
import { isSiteOpen } from '../visibility/visibility.ts'
import { lockStart, readStart } from './read-start.ts'

type SamplePlan = { works: (Work & { copies: number })[]; readers: Reader[] }

const titles = [
  ['Livre', 24],
  ['DVD', 8],
  ['CD', 8],
] as const
const readerCount = 20
/** Every third title has a second copy. */
const secondEach = 3

/** Some of the demonstration's works, the most lent of each medium, and some of its invented people. */
export async function planSample(): Promise<SamplePlan> {
  const byDemand = (await readWorks()).toSorted((a, b) => b.lent[1] - a.lent[1])
  const works = titles.flatMap(([medium, count]) => {
    const authors = new Set<string>()
    return byDemand
      .filter(({ medium: { name }, location, reference: { tags, reference_data } }) => {
        const { author } = tags
        const fits = name === medium && location !== 'Kiosque' && author && !reference_data.volume
        if (!fits || authors.has(author)) return false
        authors.add(author)
        return true
      })
      .slice(0, count)
  })
  const persons = inventReaders(seededRandom(47), 0).filter(({ kind }) => kind === 'person')
  return {
    works: works.map((work, at) => ({ ...work, copies: at % secondEach === 0 ? 2 : 1 })),
    readers: persons.slice(0, readerCount),
  }
}

type Entity = Database['start_sample']['entity']

/** Of what it lays down and takes away, each of which asks for its right by itself. */
const sampleRights: readonly Right[] = [
  'COPY_CREATEREF',
  'COPY_CREATECOPY',
  'COPY_DELETE',
  'REFERENCE_DELETE',
  'BENEFICIARY_EDIT',
  'PARAMETER_MEDIUM',
  'PARAMETER_CATEGORY',
]
export const mayHandleSample = ({ caller }: Exchange): boolean =>
  sampleRights.every((right) => caller.rights.has(right))
export const notForSample = forbidden(
  'L’exemple pose des titres, des exemplaires et des lecteurs que votre profil ne vous laisse pas changer.',
)

/** Lays down the sample once; each of its things is known as such, and so can be taken away. */
export async function addSample(
  trx: Trx,
  _input: VerbInput<typeof addSampleCall>,
  exchange: Exchange,
  { works, readers }: SamplePlan,
): Promise<Outcome<StartState>> {
  if (!mayHandleSample(exchange)) return notForSample
  await lockStart(trx)
  const before = await readStart(trx)
  if (before.sample) return done(before)
  const site = exchange.site ?? (await firstSite(trx, exchange))
  if (site === null) return conflict('SITE_CLOSED', 'Aucun site n’est en service\u202f: il en faut un.')

  const media = await addMedia(trx, exchange)
  if (!media.ok) return media
  const categoriesBefore = await lastId(trx, 'categories')
  const { ids, errors } = await addReferences(
    trx,
    works.map(({ line, reference }) => ({
      line,
      reference: { ...reference, price: '0.00', keywords: [] },
    })),
  )
  const refused = new Set(errors.map(({ line }) => line))
  const written = works.filter(({ line }) => !refused.has(line))
  const categories = await trx
    .selectFrom('categories')
    .select('id')
    .where('id', '>', categoriesBefore)
    .where(
      'name',
      'in',
      works.map(({ reference }) => reference.category ?? ''),
    )
    .execute()

  const copies = await addCopies(
    trx,
    site,
    exchange,
    written.flatMap(({ line, copies: count }) =>
      Array.from({ length: count }, () => ids.get(line)).filter((id) => id !== undefined),
    ),
  )
  const persons = await addReaders(trx, site, readers)

  await remember(trx, exchange, 'media', media.answer)
  await remember(
    trx,
    exchange,
    'categories',
    categories.map(({ id }) => id),
  )
  await remember(trx, exchange, 'references', [...ids.values()])
  await remember(trx, exchange, 'copies', copies)
  await remember(trx, exchange, 'beneficiaries', persons)
  return done(await readStart(trx))
}

async function firstSite(trx: Trx, { visibility }: Exchange): Promise<number | null> {
  const found = await trx
    .selectFrom('sites')
    .select('id')
    .where('enabled', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return found.find(({ id }) => isSiteOpen(visibility, id))?.id ?? null
}

async function lastId(trx: Trx, table: 'categories'): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`.execute(trx)
  return rows[0]?.id ?? 0
}

/** The library's own media of these names keep their rules; answers those that had to be made. */
async function addMedia(trx: Trx, exchange: Exchange): Promise<Outcome<number[]>> {
  const added: number[] = []
  for (const { name, code, duration, max_loaning, max_late } of demonstrationMedia) {
    const { rows } = await sql<{ code: boolean; name: boolean }>`
      select coalesce(bool_or(search_text(name) = search_text(${name})), false) as name,
        coalesce(bool_or(search_text(code) = search_text(${code})), false) as code
      from media where deleted_at is null`.execute(trx)
    if (rows[0]?.name) continue
    const body = {
      name,
      code: rows[0]?.code ? null : code,
      duration,
      duration_type: 'WEEK' as const,
      max_loaning,
      max_late,
    }
    const outcome = await addMedium(trx, body, exchange)
    if (!outcome.ok) return outcome
    added.push(outcome.answer.id)
  }
  return done(added)
}

/** The first of `EX001`, `EX002`… that nobody uses. */
async function freeCodes(trx: Trx, prefix: string, count: number, digits: number): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select bar_code as code from copies where bar_code like ${`${prefix}%`} and deleted_at is null
    union select bar_code from bar_codes_given where bar_code like ${`${prefix}%`}
    union select reader_id from beneficiaries where reader_id like ${`${prefix}%`} and deleted_at is null
    union select matricule from beneficiaries where matricule like ${`${prefix}%`} and deleted_at is null
    union select reader_id from relatives where reader_id like ${`${prefix}%`} and deleted_at is null`.execute(
    trx,
  )
  const taken = new Set(rows.map(({ code }) => code))
  const codes: string[] = []
  for (let at = 1; codes.length < count; at += 1) {
    const code = prefix + String(at).padStart(digits, '0')
    if (!taken.has(code)) codes.push(code)
  }
  return codes
}

async function addCopies(
  trx: Trx,
  site: number,
  { today }: Exchange,
  references: readonly number[],
): Promise<number[]> {
  const codes = await freeCodes(trx, 'EX', references.length, 3)
  const made = await trx
    .insertInto('copies')
    .values(
      references.map((reference, at) => ({
        reference,
        bar_code: codes[at] ?? '',
        site,
        location: null,
        buy_date: today,
        cycle_type: null,
        cycle_value: null,
        price: null,
        sent_from: null,
        sent_at: null,
        withdrawn_on: null,
        withdrawal_reason: null,
        deleted_at: null,
      })),
    )
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

/** Without an address, so that no mail leaves for people who do not exist. */
async function addReaders(trx: Trx, site: number, readers: SamplePlan['readers']): Promise<number[]> {
  const codes = await freeCodes(trx, 'EXL', readers.length, 2)
  const made = await trx
    .insertInto('beneficiaries')
    .values(
      readers.map(({ lastname, firstname, kind, birth_year, commune }, at) => ({
        matricule: codes[at] ?? '',
        reader_id: codes[at] ?? '',
        lastname,
        firstname,
        kind,
        birth_year,
        commune,
        contract_type: null,
        beneficiary_status: null,
        agency_id: site,
        exit_date: null,
        email: null,
        phone: null,
        address: null,
        wallet_amount: null,
        deleted_at: null,
      })),
    )
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

async function remember(trx: Trx, exchange: Exchange, entity: Entity, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .insertInto('start_sample')
    .values(ids.map((entity_id) => ({ entity, entity_id })))
    .execute()
  await journal(trx, exchange, {
    action: 'start.add_sample',
    entity,
    entity_id: null,
    after: { count: ids.length },
  })
}
